# Knowledge distillation: a model that wraps two others, compile overridden, a train_step that uses the compiled metrics.
keras, layers = tf.keras, tf.keras.layers


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.teacher, self.student = teacher, student

    def compile(self, optimizer, metrics, student_loss_fn, distillation_loss_fn, alpha=0.1, temperature=3):
        super().compile(optimizer=optimizer, metrics=metrics)
        self.student_loss_fn, self.distillation_loss_fn = student_loss_fn, distillation_loss_fn
        self.alpha, self.temperature = alpha, temperature

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, allow_empty=False):
        teacher_pred = self.teacher(x, training=False)
        student_loss = self.student_loss_fn(y, y_pred)
        distillation_loss = self.distillation_loss_fn(
            keras.ops.softmax(teacher_pred / self.temperature, axis=1), keras.ops.softmax(y_pred / self.temperature, axis=1)
        ) * (self.temperature**2)
        return self.alpha * student_loss + (1 - self.alpha) * distillation_loss

    def call(self, x):
        return self.student(x)


teacher = keras.Sequential([keras.Input(shape=(8, 8, 1)), layers.Conv2D(6, (3, 3), strides=(2, 2), padding="same"), layers.LeakyReLU(negative_slope=0.2), layers.MaxPooling2D(pool_size=(2, 2), strides=(1, 1), padding="same"), layers.Flatten(), layers.Dense(4)], name="teacher")
student = keras.Sequential([keras.Input(shape=(8, 8, 1)), layers.Conv2D(3, (3, 3), strides=(2, 2), padding="same"), layers.LeakyReLU(negative_slope=0.2), layers.Flatten(), layers.Dense(4)], name="student")
scratch = keras.models.clone_model(student)
fill(teacher), fill(student), fill(scratch)
x, y = numbers(12, 8, 8, 1), np.arange(12) % 4
teacher.compile(optimizer=keras.optimizers.Adam(), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=[keras.metrics.SparseCategoricalAccuracy()])
teacher.fit(x, y, epochs=2, verbose=0, shuffle=False)
print("teacher", np.round(teacher.evaluate(x, y, verbose=0), 4))
distiller = Distiller(student=student, teacher=teacher)
distiller.compile(optimizer=keras.optimizers.Adam(), metrics=[keras.metrics.SparseCategoricalAccuracy()], student_loss_fn=keras.losses.SparseCategoricalCrossentropy(from_logits=True), distillation_loss_fn=keras.losses.KLDivergence(), alpha=0.1, temperature=10)
history = distiller.fit(x, y, epochs=3, batch_size=4, verbose=0, shuffle=False)
print({name: [round(float(value), 4) for value in values] for name, values in sorted(history.history.items())})
scratch.compile(optimizer=keras.optimizers.Adam(), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=[keras.metrics.SparseCategoricalAccuracy()])
scratch.fit(x, y, epochs=1, verbose=0, shuffle=False)
print("scratch", np.round(scratch.evaluate(x, y, verbose=0), 4))
