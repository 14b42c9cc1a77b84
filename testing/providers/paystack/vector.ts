/** A notice with the signature of a known key, computed outside this project. */
export const VECTOR = {
  key: "sk_test_oja1",
  body: '{"event":"charge.success","data":{"id":3104021987,"reference":"oja_acc_01","amount":250000}}',
  signature:
    "7bee3bb549434aadd77b889a261e7cf5b74526f693ed36a0fb264d79067f964c173a3e6ea225f674c6b9e0cc4ecd0b74a4e5611a337385179fe42e9fe8be635c",
};
