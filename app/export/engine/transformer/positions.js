// Positional encoding: attention alone cannot tell order, so each position adds its own vector. Vaswani et al.
// (2017), section 3.5.
//
//     PE(t, 2i) = sin(t / 10000^(2i/D))      PE(t, 2i+1) = cos(t / 10000^(2i/D))
//
// The twin of model/transformer/attention.py.

const WAVELENGTH = 10000; // times 2π: the wavelength of the slowest component

// One component of the encoding of a position.
export function sinusoid(position, component, size) {
  const angle = position / WAVELENGTH ** ((component - (component % 2)) / size);
  return component % 2 ? Math.cos(angle) : Math.sin(angle);
}

export const POSITIONS = {
  sinusoids: (position, size) => Float32Array.from({ length: size }, (_, component) => sinusoid(position, component, size)),
  none: (position, size) => new Float32Array(size),
};
