# The checkpoint guide: a manager, a run that breaks off, and one that goes on.
import os
import tempfile


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.l1 = tf.keras.layers.Dense(5)

    def call(self, x):
        return self.l1(x)


def toy_dataset():
    inputs = tf.range(10.0)[:, None]
    labels = inputs * 5.0 + tf.range(5.0)[None, :]
    return tf.data.Dataset.from_tensor_slices(dict(x=inputs, y=labels)).repeat().batch(2)


def train_step(net, example, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(net(example["x"]) - example["y"]))
    variables = net.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


def run(folder, steps):
    net, opt = Net(), tf.keras.optimizers.Adam(0.1)
    net(tf.zeros([1, 1]))
    fill(net)
    opt.build(net.trainable_variables)
    iterator = iter(toy_dataset())
    ckpt = tf.train.Checkpoint(step=tf.Variable(1), optimizer=opt, net=net, iterator=iterator)
    manager = tf.train.CheckpointManager(ckpt, folder, max_to_keep=3)
    ckpt.restore(manager.latest_checkpoint)
    print("restored" if manager.latest_checkpoint else "from scratch", int(ckpt.step))
    for _ in range(steps):
        loss = train_step(net, next(iterator), opt)
        ckpt.step.assign_add(1)
        if int(ckpt.step) % 2 == 0:
            print(f"step {int(ckpt.step)}: loss {loss:.4f}, {os.path.basename(manager.save())}")
    return manager


with tempfile.TemporaryDirectory() as folder:
    run(folder, 5)
    manager = run(folder, 4)
    print([os.path.basename(name) for name in manager.checkpoints])
