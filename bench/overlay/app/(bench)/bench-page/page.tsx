export const dynamic = "force-dynamic";

/** Measures a page of the App Router without any code of ours. */
export default function Page() {
  return <p>Bare</p>;
}
