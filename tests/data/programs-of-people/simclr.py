# Contrastive learning with train_step and test_step of its own, two optimizers, zipped datasets.
class ContrastiveModel(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.temperature = 0.1
        self.encoder = tf.keras.Sequential(
            [tf.keras.layers.Input((8,)), tf.keras.layers.Dense(6, activation="relu")], name="encoder"
        )
        self.projection_head = tf.keras.Sequential(
            [tf.keras.Input(shape=(6,)), tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(4)],
            name="projection_head",
        )
        self.linear_probe = tf.keras.Sequential(
            [tf.keras.layers.Input(shape=(6,)), tf.keras.layers.Dense(3)], name="linear_probe"
        )

    def compile(self, contrastive_optimizer, probe_optimizer, **kwargs):
        super().compile(**kwargs)
        self.contrastive_optimizer = contrastive_optimizer
        self.probe_optimizer = probe_optimizer
        self.probe_loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.contrastive_loss_tracker = tf.keras.metrics.Mean(name="c_loss")
        self.contrastive_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="c_acc")
        self.probe_loss_tracker = tf.keras.metrics.Mean(name="p_loss")
        self.probe_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="p_acc")

    @property
    def metrics(self):
        return [self.contrastive_loss_tracker, self.contrastive_accuracy, self.probe_loss_tracker, self.probe_accuracy]

    def contrastive_loss(self, p1, p2):
        p1 = tf.math.l2_normalize(p1, axis=1)
        p2 = tf.math.l2_normalize(p2, axis=1)
        s = tf.matmul(p1, p2, transpose_b=True) / self.temperature
        labels = tf.range(tf.shape(p1)[0])
        self.contrastive_accuracy.update_state(labels, s)
        self.contrastive_accuracy.update_state(labels, tf.transpose(s))
        return (
            tf.keras.losses.sparse_categorical_crossentropy(labels, s, from_logits=True)
            + tf.keras.losses.sparse_categorical_crossentropy(labels, tf.transpose(s), from_logits=True)
        ) / 2

    def train_step(self, data):
        (unl, _), (lab, labels) = data
        images = tf.concat((unl, lab), axis=0)
        a1, a2 = images * 1.1, images + 0.05
        with tf.GradientTape() as tape:
            f1 = self.encoder(a1, training=True)
            f2 = self.encoder(a2, training=True)
            p1 = self.projection_head(f1, training=True)
            p2 = self.projection_head(f2, training=True)
            loss = self.contrastive_loss(p1, p2)
        v = self.encoder.trainable_weights + self.projection_head.trainable_weights
        self.contrastive_optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
        self.contrastive_loss_tracker.update_state(loss)
        with tf.GradientTape() as tape:
            logits = self.linear_probe(self.encoder(lab, training=False), training=True)
            pl = self.probe_loss(labels, logits)
        v = self.linear_probe.trainable_weights
        self.probe_optimizer.apply_gradients(zip(tape.gradient(pl, v), v))
        self.probe_loss_tracker.update_state(pl)
        self.probe_accuracy.update_state(labels, logits)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, data):
        x, y = data
        logits = self.linear_probe(self.encoder(x, training=False), training=False)
        l = self.probe_loss(y, logits)
        self.probe_loss_tracker.update_state(l)
        self.probe_accuracy.update_state(y, logits)
        return {m.name: m.result() for m in self.metrics[2:]}


m = ContrastiveModel()
fill(m.encoder)
fill(m.projection_head)
fill(m.linear_probe)
m.compile(tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam())
y = np.arange(12) % 3
un = tf.data.Dataset.from_tensor_slices((numbers(12, 8), np.zeros(12))).batch(4)
la = tf.data.Dataset.from_tensor_slices((numbers(6, 8, seed=2), y[:6])).batch(2)
train = tf.data.Dataset.zip((un, la)).prefetch(tf.data.AUTOTUNE)
test = tf.data.Dataset.from_tensor_slices((numbers(6, 8, seed=3), y[:6])).batch(3)
h = m.fit(train, epochs=3, validation_data=test, verbose=0)
for k, v in sorted(h.history.items()):
    print(k, [f"{float(i):.4f}" for i in v])
