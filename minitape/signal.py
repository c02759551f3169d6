"""`tf.signal`: Fourier transforms."""

from .ops.fourier import fft, fft2d, fftshift, ifft, ifft2d, ifftshift, irfft, irfft2d, rfft, rfft2d

__all__ = ["fft", "fft2d", "fftshift", "ifft", "ifft2d", "ifftshift", "irfft", "irfft2d", "rfft", "rfft2d"]
