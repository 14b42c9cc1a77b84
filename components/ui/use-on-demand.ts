import { useCallback, useState } from "react";

interface OnDemand<Part> {
  /** Undefined until it was wanted and has arrived. */
  part: Part | undefined;
  /** Fetches it, so that it is there when it is wanted: when the pointer or the focus comes near. */
  prepare: () => void;
  want: () => void;
}

/** Loads a part of the script when it is first wanted: what most readers of a page never open is not sent to them. */
export function useOnDemand<Part>(load: () => Promise<Part>): OnDemand<Part> {
  const [loaded, setLoaded] = useState<{ part: Part }>();
  // A part that did not arrive, as without a connection, is fetched again by the next click.
  const want = useCallback(() => void load().then((part) => setLoaded({ part }), tryNextTime), [load]);
  const prepare = useCallback(() => void load().catch(tryNextTime), [load]);
  return { part: loaded?.part, prepare, want };
}

const tryNextTime = (): void => undefined;
