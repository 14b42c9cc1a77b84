export const dynamic = "force-dynamic";

/** What a page costs in the App Router before a line of ours. */
export default function Page() {
  return <p>Bare</p>;
}
