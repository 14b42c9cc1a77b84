/** Something that the user can mend: said in one line, without a stack. */
export class CannotStart extends Error {
  override name = "CannotStart";
}
