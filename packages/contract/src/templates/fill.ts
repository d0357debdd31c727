import {
  allFileProblems,
  type CommissionedDatapoint,
  type CommissioningFile,
  type FileProblem,
} from '../commissioning/index.ts'
import { type Answers, readAnswers } from './answers.ts'
import { type Answer, withAnswers } from './placeholders.ts'
import { protocolOf } from './questions.ts'
import { scalerOf } from './scaler.ts'
import type { Template, TemplateDatapoint } from './template.ts'

export type Filled =
  | { readonly file: CommissioningFile; readonly problems?: undefined }
  | { readonly file?: undefined; readonly problems: readonly FileProblem[] }

/**
 * Makes the commissioning file of a template from answers, or names everything that is missing or wrong with them: the
 * path of such a problem is the key of a question. The technical system and its connection are called `name`. The file
 * passes the checks of the service; the driver on the controller judges addresses.
 */
export function fillTemplate(template: Template, given: Answers): Filled {
  const { answers, problems } = readAnswers(template, given)
  if (problems.length > 0) return { problems }
  const name = String(answers.get('name'))
  const protocol = protocolOf(template, answers.get('protocol'))
  const way = template.protocols.find((one) => one.protocol === protocol)
  const file = {
    technicalSystem: name,
    templates: [template.name],
    connections: [
      {
        name,
        protocol,
        settings: withAnswers(way?.settings, answers),
        datapoints: template.datapoints.map((datapoint) => fillDatapoint(datapoint, answers)),
      },
    ],
  }
  const wrong = allFileProblems(file)
  return wrong.length > 0 ? { problems: wrong } : { file: file as CommissioningFile }
}

/** Returns the values that each datapoint can show, filled in; `undefined` where the template does not say. */
export function rangesOf(template: Template, given: Answers): ({ min: number; max: number } | undefined)[] {
  const { answers } = readAnswers(template, given)
  return template.datapoints.map(({ range }) => range && (withAnswers(range, answers) as { min: number; max: number }))
}

function fillDatapoint(template: TemplateDatapoint, answers: ReadonlyMap<string, Answer>): CommissionedDatapoint {
  const filled = withAnswers(template, answers) as FilledDatapoint
  const { scale = 1, offset = 0, range: _range, release: _release, data, ...fields } = filled
  return { ...fields, ...(!(scale === 1 && offset === 0) && { scaler: scalerOf(scale, offset) }), data }
}

interface FilledDatapoint extends CommissionedDatapoint {
  scale?: number
  offset?: number
  range?: unknown
  release?: unknown
}
