/** What the provider says about the owner of a number. */
export type Customer =
  | { state: "none" }
  | { state: "checking" }
  | { state: "found"; name: string; detail: string | null }
  | { state: "not_found"; message: string }
  /** The provider is slow or down. */
  | { state: "unknown" };

/** Whose meter or smart card it is, under its number. Its line keeps its space while it is empty, so that nothing moves. */
export const CustomerLine = ({ customer }: { customer: Customer }) => (
  <p role="status" className="min-h-5 text-fact wrap-anywhere">
    <Words customer={customer} />
  </p>
);

function Words({ customer }: { customer: Customer }) {
  switch (customer.state) {
    case "none":
      return null;
    case "checking":
      return <span className="text-muted">Looking up the name… You can go on meanwhile.</span>;
    case "found":
      return (
        <span className="text-success">
          <span aria-hidden="true">✓ </span>
          <b className="font-semibold">{customer.name}</b>
          {customer.detail && <span className="text-muted"> {customer.detail}</span>}
        </span>
      );
    case "not_found":
      return <span className="text-warning">{customer.message}</span>;
    case "unknown":
      return <span className="text-warning">We could not check the name. Compare the number once more; you can pay without.</span>;
  }
}
