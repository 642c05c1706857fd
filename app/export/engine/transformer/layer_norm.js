// Layer normalisation: a vector less its mean, by its deviation, times a gain, and a bias. Ba, Kiros and Hinton (2016).
//
//     LayerNorm(x) = g ⊙ (x − mean(x)) / √(var(x) + ε) + b
//
// As torch.nn.LayerNorm computes it.

export const EPSILON = 1e-5;

export function momentsOf(vector) {
  let sum = 0;
  for (const value of vector) sum += value;
  const mean = sum / vector.length;
  let squares = 0;
  for (const value of vector) squares += (value - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / vector.length + EPSILON) };
}

export function layerNorm(parameters, name, vector) {
  const [gain, bias] = ["weight", "bias"].map((part) => parameters.get(`${name}.${part}`));
  const { mean, deviation } = momentsOf(vector);
  return vector.map((value, j) => ((value - mean) / deviation) * gain[j] + bias[j]);
}
