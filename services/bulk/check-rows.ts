import type { z } from "zod";
import { guessNetwork } from "#lib/phone.ts";
import type { MerchantContext } from "../context.ts";
import {
  BuyAirtime,
  BuyCable,
  BuyData,
  BuyElectricity,
  digitsOfSmartCard,
  isMeterOf,
  isSmartCardOf,
  listProducts,
  type Product,
} from "../vtu/index.ts";
import type { NewRow } from "./bulk-row.ts";
import { type BulkService, typedCell } from "./columns.ts";
import { namesOfDisco, plainDisco } from "./disco-names.ts";
import type { Line } from "./parse-file.ts";
import { BadRow, readAmount, readNumber, readProductId } from "./read-cells.ts";

/** The message of a row whose amount a comma may have split. */
const SPLIT =
  "There are more cells than named columns, or digits behind the amount. Write an amount without commas, or in quotes, and name every column.";

/** Returns the amount of a row as typed, or "" if a comma may have split it: 50,000 must not be read as 50. */
export const typedAmount = ({ cells, message }: Pick<NewRow, "cells" | "message">): string =>
  message === SPLIT ? "" : typedCell(cells, "amount");

type Valid = Pick<NewRow, "recipient" | "productId" | "productName" | "network" | "variant" | "amount">;

/** Returns each line as a row: `ready`, or `invalid` with a message. Throws PROVIDER_UNAVAILABLE. */
export async function checkRows(ctx: MerchantContext, service: BulkService, lines: Line[]): Promise<NewRow[]> {
  const products = await listProducts(ctx, { service });
  return lines.map((line) => {
    const { row, cells } = line;
    const nothing = { recipient: null, productId: null, productName: null, network: null, variant: null, amount: null };
    try {
      if (line.mayBeSplit) throw new BadRow(SPLIT);
      return { row, cells, status: "ready", message: null, ...READERS[service](line, products) };
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      return { row, cells, status: "invalid", message: error.message, ...nothing };
    }
  });
}

/** Each checks a line by the schema of the purchase's own endpoint, so that a row which is ready is one that can be bought. */
const READERS: Record<BulkService, (line: Line, products: Product[]) => Valid> = {
  airtime: ({ cell }, products) => {
    const typed = readNumber(cell("phone"), "Phone");
    const guess = { network: cell("network") || "mtn", phone: typed, amount: readAmount(cell("amount")) };
    const { phone, amount, network: given } = checked(BuyAirtime, guess);
    const network = cell("network") === "" ? guessNetwork(phone) : given;
    if (network === undefined) throw new BadRow("Network: it cannot be guessed from this number. Write it into a column network.");
    const product = products.find(({ brand, variant }) => brand === network && variant === "VTU");
    if (!product) throw new BadRow(`Network: airtime of ${network} is not sold here.`);
    return { ...named(product), recipient: phone, network, variant: "VTU", amount: amount.minor };
  },
  data: ({ cell }, products) => {
    const { phone, data_plan_id: id } = checked(BuyData, {
      phone: readNumber(cell("phone"), "Phone"),
      data_plan_id: readProductId(cell("plan")),
    });
    const product = planOf(products, id);
    requirePrice(product, cell("amount"));
    return { ...named(product), recipient: phone, network: product.brand, variant: null, amount: priceOf(product) };
  },
  cable: ({ cell }, products) => {
    const typed = { smart_card_number: readNumber(cell("smartCard"), "Smart card"), cable_plan_id: readProductId(cell("plan")) };
    const { smart_card_number: recipient, cable_plan_id: id } = checked(BuyCable, typed);
    const product = planOf(products, id);
    requirePrice(product, cell("amount"));
    if (!isSmartCardOf(product.brand, recipient)) {
      throw new BadRow(
        `Smart card: write the number on the card or the IUC, ${digitsOfSmartCard(product.brand).join(" or ")} digits for this plan.`,
      );
    }
    return { ...named(product), recipient, network: null, variant: null, amount: priceOf(product) };
  },
  electricity: ({ cell }, products) => {
    const product = discoOf(products, cell("disco"));
    const { meter_number, meter_type, amount } = checked(BuyElectricity, {
      disco_id: product.id,
      meter_number: readNumber(cell("meter"), "Meter"),
      meter_type: cell("meterType"),
      amount: readAmount(cell("amount")),
    });
    if (!isMeterOf(product, meter_number)) throw new BadRow("Meter: write the number on the meter, 11 or 13 digits at this disco.");
    return { ...named(product), recipient: meter_number, network: null, variant: meter_type, amount: amount.minor };
  },
};

/** The names of a purchase's fields in messages for people. */
const FIELD_NAMES: Record<string, string> = {
  ...{ phone: "Phone", network: "Network", amount: "Amount", data_plan_id: "Plan id", cable_plan_id: "Plan id" },
  ...{ smart_card_number: "Smart card", meter_number: "Meter", meter_type: "Meter type" },
};

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const messages = parsed.error.issues.map(
    // The API's messages tell a program to "send" a value, but a person writes it into a cell.
    ({ path, message }) => `${FIELD_NAMES[String(path[0])] ?? String(path[0])}: ${message.replace(/^Send /, "write ")}`,
  );
  throw new BadRow([...new Set(messages)].join(" "));
}

const named = ({ id, name }: Product) => ({ productId: id, productName: name });

function planOf(products: Product[], id: number): Product {
  const product = products.find((each) => each.id === id);
  if (!product) throw new BadRow("Plan id: this plan is not sold, or not any more. Choose one from the present list.");
  return product;
}

/** Returns a disco by its id or by a name: the listed name, a part of it, or a common name. */
function discoOf(products: Product[], cell: string): Product {
  const name = plainDisco(cell);
  const product = products.find((each) => String(each.id) === cell || namesOfDisco(each).includes(name));
  if (!product) throw new BadRow("Disco: write the id or the name of one of the discos.");
  return product;
}

/** Throws `BadRow` if the file names an amount for a plan that differs from its present price. An empty cell is not checked. */
function requirePrice(product: Product, cell: string): void {
  if (cell === "") return;
  const price = Number(priceOf(product)) / 100;
  if (readAmount(cell) !== price) {
    throw new BadRow(`Amount: this plan costs ${price.toLocaleString("en")} Naira now. Correct the amount, or leave the cell empty.`);
  }
}

function priceOf({ id, price }: Product): bigint {
  if (price === null) throw new Error(`product ${id} has no price`);
  return price.minor;
}
