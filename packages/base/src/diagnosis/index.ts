/** Checks of a machine and its peers, each with a remedy. */
export { checkCertificate } from './certificate-check.ts'
export { type Check, type Finding, ok, problem, type Result, reasonOf, runChecks, skipped, warning } from './check.ts'
export { checkDisk, checkFolder } from './folder-checks.ts'
export { answers, checkOffset, checkPort, checkTimeZones, checkVersions } from './machine-checks.ts'
export { hasProblem, printResults } from './print.ts'
export { mayOpenLowPorts, readUnit, unitFinding } from './unit-check.ts'
