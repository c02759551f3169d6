# word2vec: skip-grams, an embedding whose gradient is sparse, and a softmax over a few drawn words.
sentence = "the wide road shimmered in the hot sun".split()
vocab = {word: number for number, word in enumerate(sorted(set(sentence)))}
ids = [vocab[word] for word in sentence]
pairs = [(ids[i], ids[j]) for i in range(len(ids)) for j in range(max(0, i - 2), min(len(ids), i + 3)) if i != j]
targets, contexts = np.array(pairs)[:, 0], np.array(pairs)[:, 1:].astype("int64")
size, dim = len(vocab), 4
embedding = tf.Variable(numbers(size, dim) - 0.5)
weights, biases = tf.Variable(numbers(size, dim, seed=1) - 0.5), tf.Variable(tf.zeros([size]))
optimizer = tf.keras.optimizers.SGD(0.5)
dataset = tf.data.Dataset.from_tensor_slices((targets, contexts)).batch(13, drop_remainder=True).repeat(2)
for step, (target, context) in dataset.enumerate():
    candidates = (np.array([0, 3, 5], "int64"), np.full((13, 1), 0.4, "float32"), np.float32([0.9, 0.6, 0.4]))
    with tf.GradientTape() as tape:
        embedded = tf.nn.embedding_lookup(embedding, target)
        sampled = tf.nn.sampled_softmax_loss(weights, biases, context, embedded, 3, size, sampled_values=candidates)
        noise = tf.nn.nce_loss(weights, biases, context, embedded, 3, size, sampled_values=candidates)
        loss = tf.reduce_mean(sampled) + 0.1 * tf.reduce_mean(noise)
    gradients = tape.gradient(loss, [embedding, weights, biases])
    print(int(step), f"{loss:.5f}", type(gradients[0]).__name__)
    optimizer.apply_gradients(zip(gradients, [embedding, weights, biases]))
    drawn, true_count, _ = tf.random.log_uniform_candidate_sampler(context, 1, 3, True, size)
    assert len(set(drawn.numpy())) == 3 and true_count.shape == (13, 1)
normed = tf.nn.l2_normalize(embedding, axis=1)
print((normed @ tf.transpose(normed)).numpy()[0].round(4))
