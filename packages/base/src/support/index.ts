/** Support bundles: what describes an installation, without secrets and personal data. */
export { findLogs } from './log-lines.ts'
export { writeBundle } from './write-bundle.ts'
