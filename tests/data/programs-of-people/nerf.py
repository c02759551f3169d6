# A NeRF in the small: encoded points along rays, a network, and volume rendering with an exclusive product.
def encode(x, levels=3):
    return tf.concat([x, *[f((2.0**i) * x) for i in range(levels) for f in (tf.sin, tf.cos)]], axis=-1)


def rays(height, width, focal):
    i, j = tf.meshgrid(tf.range(width, dtype=tf.float32), tf.range(height, dtype=tf.float32), indexing="xy")
    directions = tf.stack([(i - width * 0.5) / focal, -(j - height * 0.5) / focal, -tf.ones_like(i)], axis=-1)
    return tf.zeros_like(directions), directions


def render(weights, origins, directions, near, far, samples):
    t = tf.linspace(near, far, samples)
    points = origins[..., None, :] + directions[..., None, :] * t[..., None]
    hidden = tf.nn.relu(tf.reshape(encode(points), [-1, 21]) @ weights[0] + weights[1])
    raw = tf.reshape(hidden @ weights[2] + weights[3], [*points.shape[:-1], 4])
    sigma, rgb = tf.nn.relu(raw[..., 3]), tf.math.sigmoid(raw[..., :3])
    deltas = tf.concat([t[1:] - t[:-1], tf.broadcast_to([1e10], [1])], axis=-1)
    alpha = 1.0 - tf.exp(-sigma * deltas)
    share = alpha * tf.math.cumprod(1.0 - alpha + 1e-10, -1, exclusive=True)
    return tf.reduce_sum(share[..., None] * rgb, -2), tf.reduce_sum(share * t, -1)


weights = [tf.Variable(numbers(21, 8) - 0.5), tf.Variable(tf.zeros(8)), tf.Variable(numbers(8, 4, seed=1) - 0.4), tf.Variable(tf.zeros(4))]
target = tf.constant(numbers(4, 5, 3, seed=2))
origins, directions = rays(4, 5, 4.0)
optimizer = tf.keras.optimizers.Adam(5e-2)
for step in range(4):
    with tf.GradientTape() as tape:
        rgb, depth = render(weights, origins, directions, 2.0, 6.0, 6)
        loss = tf.reduce_mean(tf.square(rgb - target))
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    print(f"{step}: loss {loss:.5f}, psnr {-10.0 * tf.math.log(loss) / tf.math.log(10.0):.4f}, depth {tf.reduce_mean(depth):.4f}")
