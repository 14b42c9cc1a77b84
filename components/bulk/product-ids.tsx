import { Section } from "#components/page/detail.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Table } from "#components/ui/table.tsx";
import type { Money } from "#lib/money.ts";

interface Product {
  id: number;
  name: string;
  price: Money | null;
}

interface Group {
  id: string;
  title: string;
  /** The column of a file that has the id. */
  column: string;
  products: readonly Product[];
}

const COLUMNS = [
  { key: "name", label: "Name", grows: true, phone: "name" },
  { key: "id", label: "Id", figures: true, phone: "state" },
] as const;
const PRICE = { key: "price", label: "Price", figures: true, phone: "figure" } as const;

/** An electricity company has no price: the buyer names the amount. */
const columnsOf = (products: readonly Product[]) => (products.some(({ price }) => price) ? [...COLUMNS, PRICE] : COLUMNS);

/** The ids that a file of top-ups names plans and companies by. */
export function ProductIds({ backHref, groups }: { backHref: string; groups: readonly Group[] }) {
  return (
    <>
      <PageHead
        title="Ids of plans"
        back={{ href: backHref, label: "Buy many at once" }}
        lead="A file names a plan or an electricity company by its id. Use the browser's own search to find one."
      />
      <div className="flex max-w-[45rem] flex-col gap-8">
        {groups.map(({ id, title, column, products }) => (
          <Section key={id} id={id} title={title} aside={<span className="text-fact text-muted">Column: {column}</span>}>
            {products.length === 0 ? (
              <p className="text-muted">None can be bought now.</p>
            ) : (
              <Table
                caption={title}
                columns={columnsOf(products)}
                rows={products.map((product) => ({
                  key: String(product.id),
                  cells: {
                    name: product.name,
                    id: <span className="font-mono">{product.id}</span>,
                    price: product.price && <Amount minor={product.price.minor} currency={product.price.currency} />,
                  },
                }))}
              />
            )}
          </Section>
        ))}
      </div>
    </>
  );
}
