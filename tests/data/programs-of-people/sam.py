# Sharpness-aware minimization in train_step, with mixup, label smoothing, cosine decay with warmup, weight decay, EMA.
class SAMModel(tf.keras.Model):
    def __init__(self, net, rho=0.05):
        super().__init__()
        self.net, self.rho = net, rho

    def call(self, x, training=None):
        return self.net(x, training=training)

    def train_step(self, data):
        images, labels = data
        e_ws = []
        with tf.GradientTape() as tape:
            predictions = self.net(images, training=True)
            loss = self.compute_loss(x=images, y=labels, y_pred=predictions)
        trainable_params = self.net.trainable_variables
        gradients = tape.gradient(loss, trainable_params)
        grad_norm = tf.norm(tf.stack([tf.norm(g) for g in gradients if g is not None]))
        scale = self.rho / (grad_norm + 1e-12)
        for grad, param in zip(gradients, trainable_params):
            e_w = grad * scale
            param.assign_add(e_w)
            e_ws.append(e_w)
        with tf.GradientTape() as tape:
            predictions = self(images, training=True)
            loss = self.compute_loss(y=labels, y_pred=predictions)
        sam_gradients = tape.gradient(loss, trainable_params)
        for param, e_w in zip(trainable_params, e_ws):
            param.assign_sub(e_w)
        self.optimizer.apply_gradients(zip(sam_gradients, trainable_params))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(labels, predictions)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, data):
        images, labels = data
        predictions = self.net(images, training=False)
        loss = self.compute_loss(y=labels, y_pred=predictions)
        for metric in self.metrics:
            metric.update_state(loss) if metric.name == "loss" else metric.update_state(labels, predictions)
        return {m.name: m.result() for m in self.metrics}


net = tf.keras.Sequential([
    tf.keras.layers.Input((6, 6, 1)), tf.keras.layers.DepthwiseConv2D(3, depth_multiplier=2, padding="same"), tf.keras.layers.ReLU(max_value=6.0),
    tf.keras.layers.SeparableConv2D(4, 3, activation="swish"), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(3),
])
fill(net)
model = SAMModel(net)
lr = tf.keras.optimizers.schedules.CosineDecay(0.0, decay_steps=6, warmup_target=0.05, warmup_steps=2)
model.compile(optimizer=tf.keras.optimizers.AdamW(lr, weight_decay=1e-2, use_ema=True, ema_momentum=0.9), loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1), metrics=["accuracy", tf.keras.metrics.TopKCategoricalAccuracy(2, name="top2")])


def mix_up(one, two):
    (images_one, labels_one), (images_two, labels_two) = one, two
    x_l = tf.reshape(tf.constant([0.3, 0.7]), (2, 1, 1, 1))
    y_l = tf.reshape(tf.constant([0.3, 0.7]), (2, 1))
    return images_one * x_l + images_two * (1 - x_l), labels_one * y_l + labels_two * (1 - y_l)


labels = tf.one_hot([0, 2, 1, 1, 0, 2], depth=3)
one = tf.data.Dataset.from_tensor_slices((numbers(6, 6, 6, 1), labels)).batch(2)
two = tf.data.Dataset.from_tensor_slices((numbers(6, 6, 6, 1, seed=1), tf.roll(labels, shift=1, axis=0))).batch(2)
history = model.fit(tf.data.Dataset.zip((one, two)).map(mix_up), epochs=3, verbose=0, validation_data=one)
for name in sorted(history.history):
    print(name, np.round(history.history[name], 4))
