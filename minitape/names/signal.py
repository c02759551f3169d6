"""`tf.signal`: Fourier transforms."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.fourier import fft, fft2d, fftshift, ifft, ifft2d, ifftshift, irfft, irfft2d, rfft, rfft2d

__all__ = ["fft", "fft2d", "fftshift", "ifft", "ifft2d", "ifftshift", "irfft", "irfft2d", "rfft", "rfft2d"]
