# A graph network on citations: gather, unsorted_segment_mean, a GRU-free update, skip connections, a custom training loop.
keras, layers = tf.keras, tf.keras.layers


def create_ffn(hidden_units, dropout_rate, name=None):
    fnn_layers = []
    for units in hidden_units:
        fnn_layers.append(layers.BatchNormalization())
        fnn_layers.append(layers.Dropout(dropout_rate))
        fnn_layers.append(layers.Dense(units, activation=tf.nn.gelu))
    return keras.Sequential(fnn_layers, name=name)


class GraphConvLayer(layers.Layer):
    def __init__(self, hidden_units, dropout_rate=0.0, aggregation_type="mean", normalize=False, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.aggregation_type, self.normalize = aggregation_type, normalize
        self.ffn_prepare = create_ffn(hidden_units, dropout_rate)
        self.update_fn = create_ffn(hidden_units, dropout_rate)

    def aggregate(self, node_indices, neighbour_messages, node_repesentations):
        num_nodes = node_repesentations.shape[0]
        if self.aggregation_type == "sum":
            return tf.math.unsorted_segment_sum(neighbour_messages, node_indices, num_segments=num_nodes)
        return tf.math.unsorted_segment_mean(neighbour_messages, node_indices, num_segments=num_nodes)

    def call(self, inputs):
        node_repesentations, edges, edge_weights = inputs
        node_indices, neighbour_indices = edges[0], edges[1]
        messages = self.ffn_prepare(tf.gather(node_repesentations, neighbour_indices)) * tf.expand_dims(edge_weights, -1)
        aggregated = self.aggregate(node_indices, messages, node_repesentations)
        h = self.update_fn(tf.concat([node_repesentations, aggregated], axis=1))
        return tf.nn.l2_normalize(h, axis=-1) if self.normalize else h


class GNNNodeClassifier(tf.keras.Model):
    def __init__(self, graph_info, num_classes, hidden_units, *args, **kwargs):
        super().__init__(*args, **kwargs)
        node_features, edges, edge_weights = graph_info
        self.node_features, self.edges, self.edge_weights = node_features, edges, edge_weights
        self.edge_weights = self.edge_weights / tf.math.reduce_sum(self.edge_weights)
        self.preprocess = create_ffn(hidden_units, 0.0, name="preprocess")
        self.conv1 = GraphConvLayer(hidden_units, aggregation_type="mean", normalize=True, name="graph_conv1")
        self.conv2 = GraphConvLayer(hidden_units, aggregation_type="sum", name="graph_conv2")
        self.compute_logits = layers.Dense(units=num_classes, name="logits")

    def call(self, input_node_indices):
        x = self.preprocess(self.node_features)
        x1 = self.conv1((x, self.edges, self.edge_weights))
        x = x1 + x
        x2 = self.conv2((x, self.edges, self.edge_weights))
        x = x2 + x
        node_embeddings = tf.gather(x, input_node_indices)
        return self.compute_logits(node_embeddings)


draw = np.random.RandomState(0)
edges, weights = draw.randint(0, 10, (2, 30)), tf.ones(shape=30)
model = GNNNodeClassifier((tf.constant(numbers(10, 5)), edges, weights), 3, [4, 4], name="gnn_model")
print("GNN output shape:", model(tf.constant([1, 5, 9])).shape)
fill(model)
optimizer, loss_fn = keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True)
nodes, classes = tf.range(10), np.arange(10) % 3
for step in range(3):
    with tf.GradientTape() as tape:
        logits = model(nodes, training=True)
        loss = loss_fn(classes, logits)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    print(f"{step}: loss {loss:.4f}, norm {tf.linalg.global_norm(grads):.4f}")
