import type { ReactNode } from "react";
import { classes } from "./class-names.ts";

// biome-ignore-start lint/a11y/noRedundantRoles: a phone shows rows as cards, and browsers forget the roles of a table with another `display`

export interface Column<Key extends string> {
  key: Key;
  label: string;
  /** Figures stand right, so that their digits stand under each other. */
  figures?: boolean | undefined;
  /** Takes a share of the width that the other columns leave, and cuts a longer text short. Columns of words grow. */
  grows?: boolean | undefined;
  /**
   * Where a phone shows the column: a row becomes a card of two lines, name and figure over state and time. A `choice` stands before them,
   * and a `note` below, which a tablet leaves out. A column without a place needs a wide screen.
   */
  phone?: "name" | "figure" | "state" | "time" | "note" | "choice" | undefined;
}

export interface Row<Key extends string> {
  key: string;
  /** The page of the row. The link is the text of its first cell that is no choice, stretched over the row. */
  href?: string | undefined;
  cells: Readonly<Record<Key, ReactNode>>;
}

interface TableProps<Key extends string> {
  /** The name of the table for screen readers. */
  caption: string;
  columns: readonly Column<Key>[];
  rows: readonly Row<Key>[];
}

/** A list as a table with a head that stays in view. Its styles are in table.css. */
export function Table<Key extends string>({ caption, columns, rows }: TableProps<Key>) {
  const linked = columns.find(({ phone }) => phone !== "choice");
  return (
    <table role="table" className="data-table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.key} role="columnheader" scope="col" className={classOf(column)}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ key, href, cells }) => (
          <tr key={key} role="row">
            {columns.map((column) => (
              <td key={column.key} role="cell" className={classOf(column)}>
                {column === linked && href ? (
                  <a href={href} className="row-link">
                    {cells[column.key]}
                  </a>
                ) : (
                  cells[column.key]
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const classOf = ({ figures, grows, phone }: Column<string>) => classes(figures && "figures", grows && "grows", phone ?? "wide-only");
// biome-ignore-end lint/a11y/noRedundantRoles: as above
