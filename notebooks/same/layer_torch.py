import torch

x, aim = torch.tensor([[1.0, 2.0], [3.0, -1.0]]), torch.tensor([[1.0], [0.0]])
w, b = (torch.tensor(start, requires_grad=True) for start in ([[0.5], [-0.25]], [0.1]))
out = torch.tanh(torch.matmul(x, w) + b)
loss = (out - aim).square().mean()
loss.backward()
with torch.no_grad():
    w -= 0.1 * w.grad
