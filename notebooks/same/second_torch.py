import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * x * x
(slope,) = torch.autograd.grad(y, x, create_graph=True)
(bend,) = torch.autograd.grad(slope, x)
