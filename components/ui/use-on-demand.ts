import { useCallback, useState } from "react";

interface OnDemand<Part> {
  /** Undefined until the part was requested and has loaded. */
  part: Part | undefined;
  /** Starts loading when the pointer or the focus comes near, so that the part is ready when it is used. */
  prepare: () => void;
  want: () => void;
}

/** Loads a part of the script when it is first needed, so that readers who never open it do not download it. */
export function useOnDemand<Part>(load: () => Promise<Part>): OnDemand<Part> {
  const [loaded, setLoaded] = useState<{ part: Part }>();
  // If a part fails to load, for example offline, the next click loads it again.
  const want = useCallback(() => void load().then((part) => setLoaded({ part }), tryNextTime), [load]);
  const prepare = useCallback(() => void load().catch(tryNextTime), [load]);
  return { part: loaded?.part, prepare, want };
}

const tryNextTime = (): void => undefined;
