export { acceptInvitation } from "./accept-invitation.ts";
export { changeRole, handOver } from "./change-role.ts";
export { isClosedBySuspension, type MemberPermission, mayRole, permissionsOf, ROLES, rolesWith } from "./contract.ts";
export { declineInvitation } from "./decline-invitation.ts";
export { findFormerMembership } from "./find-former.ts";
export { findMembership, type Membership, readMembership } from "./find-membership.ts";
export { getInvitation } from "./invitation-rows.ts";
export { findInvitationOfLink, type InvitationToJoin, listOwnInvitations } from "./invitations-to-join.ts";
export { inviteMember } from "./invite-member.ts";
export { listMemberships, type Workplace } from "./list-memberships.ts";
export { listInvitations, listTeam, type TeamMember } from "./list-team.ts";
export { maySee, type SeenWith } from "./may-see.ts";
export { pauseInvitationsOf } from "./pause-invitations.ts";
export { presentInvitation } from "./present.ts";
export { leaveBusiness, removeMember } from "./remove-member.ts";
export { getTwoFactorRule, isLockedOut, requireTwoFactor } from "./require-two-factor.ts";
export { requireUnrestricted, requireUnrestrictedInLive, restrict } from "./require-unrestricted.ts";
export { resendInvitation, withdrawInvitation } from "./resend-invitation.ts";
export {
  ChangeRole,
  FormerMember,
  HandOver,
  InvitationObject,
  InvitationParams,
  InviteMember,
  LeaveBusiness,
  MemberObject,
  MemberParams,
  RemoveMember,
  RequireTwoFactor,
  ResendInvitation,
  TwoFactorRule,
} from "./schemas.ts";
export { isAbove, lockBusiness, requireAnotherOwner } from "./team.ts";
