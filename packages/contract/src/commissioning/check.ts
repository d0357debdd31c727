import { schemaProblems } from '../schema-problems.ts'
import { CommissioningFile, type FileProblem } from './file.ts'
import { fileProblems } from './problems.ts'

/** A longer list helps nobody, and an attacker could make it very long. */
const MOST_PROBLEMS = 200

/**
 * Returns every mistake in a document that should be a commissioning file, in file order: of its shape, and of what the
 * file says where the shape allows to judge that. Empty for a file that the service accepts.
 */
export function allFileProblems(document: unknown): FileProblem[] {
  const ofShape = schemaProblems(CommissioningFile, document, MOST_PROBLEMS).map(({ path, rule }) => ({
    path,
    message: rule,
  }))
  if (ofShape.length === 0) return fileProblems(document as CommissioningFile).slice(0, MOST_PROBLEMS)
  if (ofShape.length >= MOST_PROBLEMS || !isObject(document)) return ofShape
  const broken = new Set(ofShape.map(({ path }) => partOf(path)))
  const ofRest = fileProblems(readablePart(document, broken)).filter(({ path }) => !isBroken(path, broken))
  return [...ofShape, ...ofRest].slice(0, MOST_PROBLEMS)
}

/** Reports whether a document has the shape of a commissioning file, whatever it says. */
export function isCommissioningFile(document: object): document is CommissioningFile {
  return schemaProblems(CommissioningFile, document, 1).length === 0
}

const PART =
  /^(?:connections\[\d+\](?:\.datapoints\[\d+\])?|schedules\[\d+\]|peakShaving|powerLimit|connections|schedules)/

/** Returns the datapoint, connection, schedule, peak shaving or power limit that a path is in. */
const partOf = (path: string): string => PART.exec(path)?.[0] ?? path

const isBroken = (path: string, broken: ReadonlySet<string>) =>
  [...broken].some((part) => path === part || path.startsWith(`${part}.`) || path.startsWith(`${part}[`))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a file with the well-formed parts in their places, so that the other rules can judge them. */
function readablePart(document: Record<string, unknown>, broken: ReadonlySet<string>): CommissioningFile {
  const connections = listOf(document.connections).map((connection, c) => {
    const path = `connections[${c}]`
    const { name, datapoints } = isObject(connection) ? connection : {}
    return {
      ...(broken.has(path) || !isObject(connection) ? { protocol: 'modbus-tcp', settings: {} } : connection),
      name: typeof name === 'string' ? name : `\0${path}`,
      datapoints: listOf(datapoints).map((datapoint, d) => {
        const at = `${path}.datapoints[${d}]`
        if (isObject(datapoint) && !broken.has(at) && !broken.has(path)) return datapoint
        const called = isObject(datapoint) && typeof datapoint.name === 'string' ? datapoint.name : `\0${at}`
        return { name: called, accessType: 'READ_WRITE', data: {} }
      }),
    }
  })
  const schedules = listOf(document.schedules).map((schedule, index) => {
    const path = `schedules[${index}]`
    return broken.has(path) || broken.has('schedules') ? { name: `\0${path}`, datapoint: '', slots: [] } : schedule
  })
  const ifWhole = (part: 'peakShaving' | 'powerLimit') => (broken.has(part) ? undefined : document[part])
  const [peakShaving, powerLimit] = [ifWhole('peakShaving'), ifWhole('powerLimit')]
  // What is not well-formed was replaced above.
  return { technicalSystem: '', connections, schedules, peakShaving, powerLimit } as unknown as CommissioningFile
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
