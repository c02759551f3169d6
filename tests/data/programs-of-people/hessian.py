# Newton's method by Hessian-vector products and conjugate gradients, forward over reverse; a Jacobian to compare with.
a, b = tf.constant(numbers(12, 4)), tf.constant((numbers(12, seed=1) > 0.5).astype("float32"))


def loss_of(w):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(b, tf.linalg.matvec(a, w))) + 0.05 * tf.reduce_sum(w * w)


def gradient(w):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = loss_of(w)
    return loss, tape.gradient(loss, w)


def hvp(w, v):
    with tf.autodiff.ForwardAccumulator(w, v) as acc:
        _, g = gradient(w)
    return acc.jvp(g)


def cg(w, g, steps=4):
    x, r = tf.zeros_like(g), g
    p, rs = r, tf.tensordot(r, r, 1)
    for _ in range(steps):
        hp = hvp(w, p)
        alpha = rs / tf.tensordot(p, hp, 1)
        x, r = x + alpha * p, r - alpha * hp
        new = tf.tensordot(r, r, 1)
        p, rs = r + new / (rs + 1e-20) * p, new
    return x


w = tf.zeros([4])
for step in range(3):
    loss, g = gradient(w)
    w = w - cg(w, g)
    print(f"{step}: {loss:.5f}, |g| {tf.norm(g):.5f}")
with tf.GradientTape() as outer:
    outer.watch(w)
    _, g = gradient(w)
hessian = outer.jacobian(g, w)
columns = tf.stack([hvp(w, row) for row in tf.eye(4)])
print(hessian.numpy().round(4), bool(tf.reduce_max(tf.abs(hessian - columns)) < 1e-6))
