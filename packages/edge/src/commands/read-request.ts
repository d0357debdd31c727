import { COMMANDS, type CommandName, type CommandRequest } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { MAX_REASON } from '@plantroom/contract/fields'
import { schemaProblems } from '@plantroom/contract/schema-problems'
import { shown } from '@plantroom/contract/shown'
import { datapointNotLoaded } from '../overrides/check-setpoint.ts'
import { overrideNeverIssued } from '../overrides/overrides.ts'

/**
 * Checks the data of a command by its schema. Rejects it with the first field that does not fit. Fields of a newer cloud
 * stay: a commissioned system is stored with them, for the day when the controller is updated.
 */
export function readRequest<Name extends CommandName>(name: Name, given: unknown): CommandRequest<Name> {
  const data = withUsableReason(given)
  const [problem] = schemaProblems(COMMANDS[name].request, data, 1)
  if (!problem) return data as CommandRequest<Name>
  const [field = ''] = problem.path.split(/[.[]/)
  const message = REJECTIONS[name]?.[field]
  if (!message) throw new Failure('rejected', `${problem.path || 'data'} ${problem.rule}`)
  throw new Failure('rejected', message(String((data as Readonly<Record<string, unknown>>)[field])))
}

/** A reason is for people. A release must not fail for it, so it is cut when it is too long, and dropped when it is no text. */
function withUsableReason(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('reason' in data)) return data
  const { reason, ...others } = data
  return typeof reason === 'string' ? { ...others, reason: reason.slice(0, MAX_REASON) } : others
}

export const connectionNotLoaded = (id: string) => `connection ${shown(id)} is not loaded on this device`

const notATime = (field: string) => () => `${field} is not a time with a zone`
const missingCaller = () => 'placedBy is missing'

/** The message about a field that does not fit, where that is not the rule of the schema. */
const REJECTIONS: Partial<Record<CommandName, Readonly<Record<string, (given: string) => string>>>> = {
  getTechnicalDataPoints: { connectionId: connectionNotLoaded },
  getTechnicalConnectionValues: { id: connectionNotLoaded },
  demandResponseOverride: {
    datapointId: datapointNotLoaded,
    value: () => 'value is not a finite number',
    from: notATime('from'),
    to: notATime('to'),
  },
  demandResponseCancel: { id: overrideNeverIssued },
  cancelOverrides: { placedBy: missingCaller },
  cancelOverridesByReqId: { placedBy: missingCaller },
}
