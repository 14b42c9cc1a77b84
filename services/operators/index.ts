export { requireDecider } from "./decider.ts";
export { identifyOperator } from "./identify-operator.ts";
export { listOperators } from "./list-operators.ts";
export { addOperator, makeFirstOperator, readPresentRole, removeOperator } from "./make-operator.ts";
export { OPERATOR_ROLES, type OperatorRole, readOperators } from "./operator.ts";
