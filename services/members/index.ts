export { type MemberPermission, mayRole, permissionsOf, ROLES, rolesWith } from "./contract.ts";
export { findMembership, readMembership } from "./find-membership.ts";
export { listMemberships, type Workplace } from "./list-memberships.ts";
export { maySee, type SeenWith } from "./may-see.ts";
