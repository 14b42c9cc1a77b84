/** Returns the filters of a list as the API takes them. */
export const queryOf = (wanted: Readonly<Record<string, string | Date | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]],
    ),
  );
