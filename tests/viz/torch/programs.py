"""Programs that know nothing of being recorded.  Each gives the target of its last backward pass, and all that came out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

Program = Callable[[], tuple[Any, list[Any]]]
PROGRAMS: dict[str, Program] = {}


def program(function: Program) -> Program:
    PROGRAMS[function.__name__] = function
    return function


def backward(loss: Any, *leaves: Any) -> tuple[Any, list[Any]]:
    loss.backward()
    return loss, [loss, *(leaf.grad for leaf in leaves)]


@program
def cube_to_third_order() -> tuple[Any, list[Any]]:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x * x
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    (third,) = torch.autograd.grad(second, x)
    return second, [y, first, second, third]


@program
def mlp() -> tuple[Any, list[Any]]:
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    x, aim = torch.randn(5, 3), torch.randn(5, 2)
    for _ in range(2):
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), aim)
        loss.backward()
        optimizer.step()
    return loss, [loss, *net.parameters(), *(one.grad for one in net.parameters())]


@program
def cnn_with_batch_norm() -> tuple[Any, list[Any]]:
    net = nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(18, 3)
    )
    loss = F.cross_entropy(net(torch.randn(4, 1, 8, 8)), torch.tensor([0, 1, 2, 1]))
    return backward(loss, *net.parameters())


@program
def lstm() -> tuple[Any, list[Any]]:
    net = nn.LSTM(3, 4)
    out, _ = net(torch.randn(5, 2, 3))
    return backward(out.square().mean(), *net.parameters())


@program
def transformer_block() -> tuple[Any, list[Any]]:
    block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, activation="gelu", batch_first=True)
    return backward(block(torch.randn(2, 5, 8)).square().mean(), *block.parameters())


@program
def embedding() -> tuple[Any, list[Any]]:
    table = nn.Embedding(7, 3)
    return backward(table(torch.tensor([1, 2, 2, 5])).sum(), table.weight)


@program
def einsum() -> tuple[Any, list[Any]]:
    a, b = (torch.randn(2, 3, requires_grad=True) for _ in range(2))
    return backward(torch.einsum("ij,kj->ik", a, b).sin().sum(), a, b)


@program
def complex_numbers() -> tuple[Any, list[Any]]:
    z = torch.randn(3, dtype=torch.complex64, requires_grad=True)
    return backward((z * z.conj() + z).abs().sum(), z)


@program
def bfloat16() -> tuple[Any, list[Any]]:
    w = torch.randn(3, 2, dtype=torch.bfloat16, requires_grad=True)
    x = torch.randn(4, 3, dtype=torch.bfloat16)
    return backward((x @ w).relu().float().mean(), w)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * dy


@program
def custom_function() -> tuple[Any, list[Any]]:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return backward((Square.apply(x.sin()) * x).sum(), x)


@program
def checkpoint_in_checkpoint() -> tuple[Any, list[Any]]:
    def inner(a: Any) -> Any:
        return a.cos().exp()

    def outer(a: Any) -> Any:
        return checkpoint(inner, a.sin(), use_reentrant=False).tanh()

    x = torch.tensor([0.5, 1.5], requires_grad=True)
    return backward(checkpoint(outer, x, use_reentrant=False).sum(), x)


@program
def reentrant_checkpoint() -> tuple[Any, list[Any]]:
    def body(a: Any) -> Any:
        return a.sin().cos().exp()

    x = torch.tensor([0.5, 1.5], requires_grad=True)
    return backward((checkpoint(body, x * 2, use_reentrant=True) * x).sum(), x)


@program
def gan_step() -> tuple[Any, list[Any]]:
    G, D = nn.Linear(2, 3), nn.Linear(3, 1)
    of_g, of_d = torch.optim.SGD(G.parameters(), 0.1), torch.optim.SGD(D.parameters(), 0.1)
    fake = G(torch.randn(4, 2))
    of_d.zero_grad()
    (D(fake.detach()).sigmoid().mean() - D(torch.randn(4, 3)).sigmoid().mean()).backward()
    of_d.step()
    of_g.zero_grad()
    loss = -D(fake).sigmoid().mean()
    loss.backward()
    of_g.step()
    return loss, [loss, *G.parameters(), *D.parameters()]


@program
def slices_and_views() -> tuple[Any, list[Any]]:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = torch.zeros(2, 3)
    y[0] = x * 2
    y[1, :2] = x[1:] ** 2
    half = y[0]
    half.mul_(3)
    return backward((y * y).sum() + half.sum(), x)


@program
def accumulated_twice() -> tuple[Any, list[Any]]:
    x = torch.tensor(3.0, requires_grad=True)
    (x.detach() * x).backward()
    with torch.no_grad():
        scale = x * 0 + 1
    loss = x * x * scale
    return backward(loss, x)


@program
def retained_and_asked_by_hand() -> tuple[Any, list[Any]]:
    x, w = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)
    y = (x * w).tanh()
    loss = y.sum()
    one = torch.autograd.grad(loss, (x, w), retain_graph=True)
    two = torch.autograd.grad(y, (x, y), grad_outputs=torch.ones(3), retain_graph=True)
    three = torch.autograd.grad(loss, (x, torch.zeros(2, requires_grad=True)), allow_unused=True)
    return loss, [*one, *two, three[0]]


@program
def without_grad() -> tuple[Any, list[Any]]:
    net = nn.Linear(3, 2).eval()
    with torch.inference_mode():
        seen = net(torch.ones(1, 3))
    with torch.no_grad():
        again = net(torch.ones(1, 3))
    return None, [seen.clone(), again]


@program
def functional_transforms() -> tuple[Any, list[Any]]:
    x = torch.tensor([1.0, 2.0])
    slope = torch.func.grad(lambda a: (a**3).sum())(x)
    matrix = torch.func.jacrev(lambda a: a.sin())(x)
    rows = torch.func.vmap(lambda a: a * 2)(torch.ones(3, 2))
    return None, [slope, matrix, rows]


@program
def forward_mode() -> tuple[Any, list[Any]]:
    import torch.autograd.forward_ad as forward_ad

    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor(3.0), torch.tensor(1.0))
        y = forward_ad.unpack_dual(x * x * x)
    return None, [y.primal, y.tangent]
