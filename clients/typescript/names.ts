export type ScenarioName = string & {}
export type OrderStatus = string & {}
export type OperationName = string & {}
