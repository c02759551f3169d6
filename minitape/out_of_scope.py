"""TensorFlow's names that are out of scope, with the reason or what to use instead: read when somebody asks for one."""

from __future__ import annotations

# TensorFlow's names that are out of scope, with the reason or what to use instead.
NAMES = {
    **dict.fromkeys(("ragged", "RaggedTensor"), "ragged tensors: pad the rows to one length, or loop over them"),
    **dict.fromkeys(("strings", "feature_column"), "work with strings: Python does it, before they become tensors"),
    "bfloat16": "NumPy has no such numbers: tf.float16 is as short, and tf.float32 has as many exponents",
    **dict.fromkeys(("sparse", "SparseTensor", "IndexedSlices"), "sparse tensors: gradients are dense tensors here"),
    **dict.fromkeys(("io", "saved_model", "summary", "lite", "estimator"), "reading, saving and serving"),
    **dict.fromkeys(("distribute", "tpu", "device", "config"), "other devices than the one CPU"),
    **dict.fromkeys(
        ("Graph", "Session", "placeholder", "compat.v1", "group", "autograph", "init_scope", "types"),
        "graphs: every line runs when it is reached",
    ),
    **dict.fromkeys(("graph_util", "mlir", "xla"), "graphs: every line runs when it is reached"),
    **dict.fromkeys(("profiler", "sysconfig"), "what TensorFlow is built of: tf.about() says what is installed here"),
    **dict.fromkeys(("app", "flags", "logging"), "TensorFlow 1: Python's argparse and logging do it"),
    **dict.fromkeys(("lookup", "sets"), "tables and sets: a dict and a set of Python's, before they become tensors"),
    **dict.fromkeys(("audio", "gfile"), "reading, saving and serving"),
    "dtensor": "other devices than the one CPU",
    "quantization": "numbers of few bits: tf.round(x / step) * step, with the slope that a tf.custom_gradient gives it",
    "queue": "queues: tf.data.Dataset.from_generator takes what comes",
    "gradients": "graphs: tape.gradient(y, x) answers, of a tf.GradientTape in whose block y is computed",
}

# The same inside of TensorFlow's namespaces; "*" stands for every other missing name, "" for those that stand nowhere else.
_DEVICES = "other devices than the one CPU"
_FILES = "reading and writing files of other formats: NumPy and its neighbours make arrays of them"
_CHANGED_BY_CHANCE = "Brightness", "Contrast", "Crop", "Flip", "Height", "Rotation", "Translation", "Width", "Zoom"
_MORE_CHANGES = (
    "AugMix", "AutoContrast", "CutMix", "Equalization", "MixUp", "RandAugment", "RandomErasing", "RandomHue", "Solarization",
)  # fmt: skip
_REMEMBERS = {
    "learned_unigram_candidate_sampler": "a sampler that remembers what it was shown: count the classes, and give the counts "
    "to tf.random.fixed_unigram_candidate_sampler"
}
_RARE = "rarer functions: scipy.special has their numbers, and tf.custom_gradient gives one a slope"
_VOLUMES = "volumes: the layer for pictures takes them slice by slice, in tf.map_fn"
_LAYERS_3D = (
    "AveragePooling", "AvgPool", "Conv", "Convolution", "Cropping", "GlobalAveragePooling", "GlobalMaxPooling", "MaxPool",
    "MaxPooling", "SpatialDropout", "UpSampling", "ZeroPadding",
)  # fmt: skip
_OPERATORS = (
    "", "Adjoint", "BlockDiag", "BlockLowerTriangular", "Circulant", "Composition", "Diag", "FullMatrix", "Householder",
    "Identity", "Inversion", "Kronecker", "LowRankUpdate", "LowerTriangular", "Permutation", "ScaledIdentity", "Toeplitz",
    "Tridiag", "Zeros",
)  # fmt: skip
INSIDE: dict[str, dict[str, str]] = {
    "compat.v1": {"*": "TensorFlow 1: its names stand in tf itself, and its graphs and sessions have no counterpart"},
    "config": {
        **dict.fromkeys(
            ("LogicalDeviceConfiguration", "set_logical_device_configuration", "experimental_connect_to_cluster"),
            _DEVICES,
        ),
        "optimizer": "what rewrites graphs: every line runs when it is reached",
        "threading": "threads: NumPy has those of its libraries, OMP_NUM_THREADS=1 in the shell makes it one",
    },
    "data": dict.fromkeys(("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset"), _FILES),
    "data.experimental": dict.fromkeys(
        ("make_csv_dataset", "CsvDataset", "SqlDataset", "TFRecordWriter", "save", "load"), _FILES
    ),
    "experimental": {"dtensor": _DEVICES},
    "image": {
        "*": _FILES,
        **dict.fromkeys(
            (
                "combined_non_max_suppression",
                "draw_bounding_boxes",
                "extract_glimpse",
                "non_max_suppression",
                "non_max_suppression_overlaps",
                "non_max_suppression_padded",
                "non_max_suppression_with_scores",
                "sample_distorted_bounding_box",
            ),
            "boxes: tf.image.crop_and_resize takes what lies in them, a loop over sorted scores drops those that overlap",
        ),
        "ssim_multiscale": "several sizes of one picture: tf.image.ssim of each, with tf.nn.avg_pool between",
    },
    "keras": {
        "applications": "models that somebody trained: make the layers, and load_weights",
        "datasets": "downloads: read the arrays with NumPy",
        "dtensor": _DEVICES,
        "estimator": "reading, saving and serving",
        "mixed_precision": "one dtype at a time: tf.keras.backend.set_floatx",
        "saving": "model.save_weights(path) and model.get_config()",
        **dict.fromkeys(
            ("DTypePolicy", "FloatDTypePolicy", "dtype_policies"), "one dtype at a time: Layer(dtype='float64')"
        ),
        **dict.fromkeys(("remat", "RematScope"), "Keras' word for a region that runs again: tf.recompute_grad(f)"),
        **dict.fromkeys(
            ("StatelessScope", "SymbolicScope"), "programs without state: a variable keeps its value by itself"
        ),
        **dict.fromkeys(("Function", "Operation"), "parts of Keras itself: tf.keras.layers.Layer has a method call"),
        "distribution": _DEVICES,
        "tree": "tf.nest has map_structure, flatten and pack_sequence_as",
    },
    "keras.backend": {
        "experimental": "switches of Keras 2: tf.keras.utils.set_random_seed makes numbers repeatable",
        **dict.fromkeys(("graph_util", "mlir", "xla"), "graphs: every line runs when it is reached"),
        **dict.fromkeys(
            ("profiler", "sysconfig"), "what TensorFlow is built of: tf.about() says what is installed here"
        ),
        **dict.fromkeys(("app", "flags", "logging"), "TensorFlow 1: Python's argparse and logging do it"),
        **dict.fromkeys(
            ("lookup", "sets"), "tables and sets: a dict and a set of Python's, before they become tensors"
        ),
        **dict.fromkeys(("audio", "gfile"), "reading, saving and serving"),
        "dtensor": "other devices than the one CPU",
        "quantization": "numbers of few bits: tf.round(x / step) * step, with the slope that a tf.custom_gradient gives it",
        "queue": "queues: tf.data.Dataset.from_generator takes what comes",
        "gradients": "graphs: tape.gradient(y, x) answers, of a tf.GradientTape in whose block y is computed",
        **dict.fromkeys(("batch_get_value", "batch_set_value"), "sessions: v.numpy() and v.assign(value)"),
        "set_epsilon": "one number for all: layers and optimizers take an epsilon of their own",
    },
    "keras.callbacks": {
        "CSVLogger": "files: model.fit(...).history is a dict of lists, for the csv of Python",
        "ProgbarLogger": "model.fit(verbose=1) does it",
        "BackupAndRestore": "runs on many machines: ModelCheckpoint and load_weights go on",
        "SwapEMAWeights": "averages of weights: with use_ema=True of the optimizer fit ends with them",
        **dict.fromkeys(
            ("TensorBoard", "RemoteMonitor"), "reports to other programs: a Callback of one's own tells them"
        ),
    },
    "keras.layers": {
        **dict.fromkeys(
            ("Hashing", "IntegerLookup", "StringLookup", "TextVectorization"),
            "work with strings: Python makes numbers of them, before they become tensors",
        ),
        **dict.fromkeys(
            ("CenterCrop", "Resizing", *(f"Random{what}" for what in _CHANGED_BY_CHANCE)),
            "changes of pictures: tf.image does them, in dataset.map",
        ),
        **dict.fromkeys(_MORE_CHANGES, "changes of pictures by chance: a function of tensors, in dataset.map"),
        "CategoryEncoding": "tf.one_hot(x, depth) does it, in dataset.map or in a Lambda layer",
        "experimental": "what stands in tf.keras.layers itself by now: tf.keras.layers.Rescaling, Normalization and others",
        "Discretization": "tf.searchsorted(boundaries, x, side='right') does it",
        "GroupQueryAttention": "newer than the courses: MultiHeadAttention has a key and a value for each head",
        "ThresholdedReLU": "tf.keras.layers.ReLU(threshold=1.0) does it",
        **dict.fromkeys(("TFSMLayer", "JaxLayer", "FlaxLayer", "TorchModuleWrapper"), "reading, saving and serving"),
        **dict.fromkeys((f"{kind}3D" for kind in _LAYERS_3D), _VOLUMES),
        **dict.fromkeys(
            ("ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"),
            "a cell that convolves: write one, with call(inputs, states), and give it to tf.keras.layers.RNN",
        ),
        **dict.fromkeys(
            ("SeparableConv1D", "DepthwiseConv1D"), "the 2D layer does it: give the sequence an axis, x[:, tf.newaxis]"
        ),
        **dict.fromkeys(("STFTSpectrogram", "MelSpectrogram"), "sounds: tf.signal.rfft of pieces of x"),
    },
    "keras.losses": {
        **dict.fromkeys(
            ("CTC", "ctc"),
            "labels without places in time: a loop over the steps with tf.reduce_logsumexp adds up their paths",
        ),
        **dict.fromkeys(
            ("Circle", "circle"),
            "pairs within a batch: tf.matmul(x, x, transpose_b=True) has their products, tf.where their kinds",
        ),
    },
    "keras.metrics": {
        "FBetaScore": "F1Score is that of beta = 1; others are made of Precision() and Recall()",
        **dict.fromkeys(
            ("ConcordanceCorrelation", "PearsonCorrelation", "concordance_correlation", "pearson_correlation"),
            "np.corrcoef of all predictions and truths: a mean over batches is another number",
        ),
        **dict.fromkeys(
            ("SensitivityAtSpecificity", "SpecificityAtSensitivity", "PrecisionAtRecall", "RecallAtPrecision"),
            "a search over thresholds: Precision(thresholds=[...]) and Recall(thresholds=[...]) give both curves",
        ),
        **dict.fromkeys(
            ("IoU", "BinaryIoU", "OneHotIoU", "OneHotMeanIoU"),
            "parts of tf.keras.metrics.MeanIoU, whose total_cm has all counts",
        ),
    },
    "keras.ops": {
        "": "a rarer function: write it with those that are here, or call those of tf in tf.keras.layers.Lambda",
        **dict.fromkeys(
            ("adaptive_average_pool", "adaptive_max_pool"),
            "windows of unequal lengths: ops.average_pool and ops.max_pool have even ones",
        ),
        **dict.fromkeys(
            ("ctc_decode", "ctc_loss"),
            "labels without places in time: a loop over the steps with ops.logsumexp adds up their paths",
        ),
        "eig": "matrices without symmetry: ops.eigh takes symmetric ones",
        **dict.fromkeys(("fold", "unfold"), "windows of pictures: tf.image.extract_patches takes them out"),
        "image": "pictures: tf.image.resize, tf.image.rgb_to_grayscale and the others take tensors",
        "lu_factor": "factors with row exchanges: ops.solve, ops.inv and ops.det use them inside",
        "nextafter": "numbers without a slope: np.nextafter(x, y)",
        "rearrange": "ops.reshape and ops.transpose do it",
        **dict.fromkeys(("istft", "stft"), "sounds: ops.extract_sequences of x, times a window, through ops.rfft"),
        "vectorize": "what TensorFlow's Keras refuses, too: ops work on each number, ops.vectorized_map(f, xs) on each row",
    },
    "keras.optimizers": {
        "legacy": "the optimizers before Keras 2.11: the same formulas stand in tf.keras.optimizers",
        "experimental": "what stands in tf.keras.optimizers itself by now",
        "LossScaleOptimizer": "one dtype at a time: tf.keras.backend.set_floatx",
        **dict.fromkeys(
            ("MultiOptimizer", "Muon", "OptimizerMap", "ScheduleFreeAdamW"),
            "newer than the courses: an Optimizer of one's own has a method step(weight, gradient, rate, *slots)",
        ),
    },
    "keras.preprocessing": {
        "image": "changes of pictures: tf.image does them, in dataset.map, and tf.keras.utils.img_to_array makes arrays",
        **dict.fromkeys(("image_dataset_from_directory", "text_dataset_from_directory"), _FILES),
    },
    "keras.preprocessing.sequence": {
        "TimeseriesGenerator": "tf.keras.utils.timeseries_dataset_from_array(data, targets, sequence_length) does it"
    },
    "keras.preprocessing.text": dict.fromkeys(
        ("one_hot", "hashing_trick"), "numbers that two words may share: Tokenizer gives each its own"
    ),
    "keras.models": dict.fromkeys(("model_from_json", "save_model"), "model.save_weights(path) and model.get_config()"),
    "keras.utils": {
        "get_file": "downloads: read the arrays with NumPy",
        **dict.fromkeys(
            ("CustomObjectScope", "get_custom_objects"), "a class is found by its name, wherever it was defined"
        ),
        **dict.fromkeys(
            ("disable_interactive_logging", "enable_interactive_logging", "is_interactive_logging_enabled"),
            "what is printed: fit, evaluate and predict take verbose=0",
        ),
        "split_dataset": "ds.take(n) and ds.skip(n), or slices of the arrays",
        **dict.fromkeys(
            ("image_dataset_from_directory", "load_img", "save_img", "text_dataset_from_directory"), _FILES
        ),
        **dict.fromkeys(
            ("model_to_dot", "plot_model"), "drawings: viz draws what ran, model.summary() lists the layers"
        ),
    },
    "linalg": {
        **dict.fromkeys(
            (f"LinearOperator{kind}" for kind in _OPERATORS),
            "matrices that are not written out: write the matrix, or the product",
        ),
        **dict.fromkeys(
            ("lu", "lu_solve", "lu_reconstruct", "lu_matrix_inverse"),
            "factors with row exchanges: tf.linalg.solve and tf.linalg.inv use them inside, and both are differentiated",
        ),
        **dict.fromkeys(("eig", "eigvals"), "matrices without symmetry: tf.linalg.eigh takes symmetric ones"),
        **dict.fromkeys(("logm", "sqrtm"), "functions of a matrix: of a symmetric one through tf.linalg.eigh"),
        **dict.fromkeys(
            ("banded_triangular_solve", "eigh_tridiagonal"), "bands: tf.linalg.solve and eigh take the matrix"
        ),
    },
    "math": {
        **dict.fromkeys(("special", "betainc", "igamma", "igammac", "zeta"), _RARE),
        **dict.fromkeys(("approx_max_k", "approx_min_k"), "other devices than the one CPU: tf.math.top_k is exact"),
        **dict.fromkeys(("nextafter", "sobol_sample"), "numbers without a slope: NumPy and SciPy make them"),
    },
    "nn": {
        **_REMEMBERS,
        **dict.fromkeys(("avg_pool3d", "conv3d", "conv3d_transpose", "max_pool3d"), _VOLUMES),
        **dict.fromkeys(
            ("ctc_beam_search_decoder", "ctc_greedy_decoder", "ctc_loss", "ctc_unique_labels"),
            "labels without places in time: a loop over the steps with tf.reduce_logsumexp adds up their paths",
        ),
        **dict.fromkeys(
            ("embedding_lookup_sparse", "safe_embedding_lookup_sparse"),
            "sparse tensors: tf.nn.embedding_lookup of padded rows, and a mask",
        ),
        **dict.fromkeys(
            ("local_response_normalization", "lrn"),
            "what batch normalization has replaced: tf.keras.layers.BatchNormalization",
        ),
        **dict.fromkeys(
            ("sufficient_statistics", "normalize_moments", "batch_norm_with_global_normalization"),
            "steps of TensorFlow 1: tf.nn.moments and tf.nn.batch_normalization",
        ),
        **dict.fromkeys(
            ("fractional_avg_pool", "fractional_max_pool"), "windows of chance: tf.nn.max_pool has even ones"
        ),
        **dict.fromkeys(
            ("dilation2d", "erosion2d"),
            "windows with a shape of their own: tf.nn.max_pool(x, ...) and -tf.nn.max_pool(-x, ...) have flat ones",
        ),
        "atrous_conv2d_transpose": "tf.nn.conv2d_transpose takes dilations",
    },
    "random": _REMEMBERS,
    "signal": dict.fromkeys(
        ("dct", "idct", "frame", "stft", "inverse_stft", "overlap_and_add", "hann_window", "hamming_window", "mdct"),
        "sounds: pieces of x times a window of NumPy's, through tf.signal.rfft",
    ),
    "train": {
        **dict.fromkeys(
            ("Example", "Feature", "Features", "BytesList", "FloatList", "Int64List", "SequenceExample", "FeatureList"),
            "records in files: keep arrays in NumPy's files",
        ),
        **dict.fromkeys(("ClusterSpec", "Coordinator", "ServerDef"), _DEVICES),
    },
}
