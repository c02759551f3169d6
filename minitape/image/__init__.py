# ruff: noqa: I001  a name per line would bury what there is
"""`tf.image`: sizes and borders in `shapes.py`, colours in `colours.py`, random changes in `chance.py`.

Reading and writing image files is out of scope.
"""

from ..record.refusal import answering
from ..ops.hsv import hsv_to_rgb, rgb_to_hsv
from ..ops.refused import adjust_contrast
from .chance import (
    random_brightness, random_contrast, random_crop, random_flip_left_right, random_flip_up_down, random_hue, random_saturation,
    stateless_random_brightness, stateless_random_contrast, stateless_random_crop, stateless_random_flip_left_right,
    stateless_random_flip_up_down, stateless_random_hue, stateless_random_saturation,
)  # fmt: skip
from .colours import (
    adjust_brightness, adjust_gamma, adjust_hue, adjust_saturation, convert_image_dtype, grayscale_to_rgb,
    image_gradients, per_image_standardization, psnr, rgb_to_grayscale, rgb_to_yiq, rgb_to_yuv, sobel_edges, ssim,
    total_variation, yiq_to_rgb, yuv_to_rgb,
)  # fmt: skip
from .shapes import (
    ResizeMethod, central_crop, crop_and_resize, crop_to_bounding_box, extract_patches, flip_left_right, flip_up_down,
    pad_to_bounding_box, resize, resize_with_crop_or_pad, resize_with_pad, rot90, transpose,
)  # fmt: skip

__all__ = [
    "ResizeMethod", "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue", "adjust_saturation",
    "central_crop", "convert_image_dtype", "crop_and_resize", "crop_to_bounding_box", "extract_patches",
    "flip_left_right", "flip_up_down", "grayscale_to_rgb", "hsv_to_rgb", "image_gradients", "pad_to_bounding_box",
    "per_image_standardization", "psnr", "random_brightness", "random_contrast", "random_crop", "random_flip_left_right",
    "random_flip_up_down", "random_hue", "random_saturation", "resize", "resize_with_crop_or_pad", "resize_with_pad",
    "rgb_to_grayscale", "rgb_to_hsv", "rgb_to_yiq", "rgb_to_yuv", "rot90", "sobel_edges", "ssim",
    "stateless_random_brightness", "stateless_random_contrast", "stateless_random_crop",
    "stateless_random_flip_left_right", "stateless_random_flip_up_down", "stateless_random_hue",
    "stateless_random_saturation", "total_variation", "transpose", "yiq_to_rgb", "yuv_to_rgb",
]  # fmt: skip

answering(globals(), "tf.image", __all__)
