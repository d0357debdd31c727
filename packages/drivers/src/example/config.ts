import type { CheckedConnection, Problem } from '../driver.ts'
import { fieldsOf } from '../fields.ts'

export interface ExamplePoint {
  name: string
  href: string
  writable: boolean
}

export interface ExampleConfig {
  url: string
  timeoutMs: number
  points: readonly ExamplePoint[]
}

/** Checks and parses a commissioned connection. The config is complete only if there are no problems. */
export function parseConfig({ settings, datapoints }: CheckedConnection): {
  config: ExampleConfig
  problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const fields = fieldsOf(settings, 'settings', problems)
  const url = fields.text('url') ?? ''
  const timeoutMs = fields.integer('timeoutMs', 1, 60_000, 1000) ?? 1000
  // The edge polls; the driver only checks the field.
  fields.number('pollSeconds', 0.1, 86_400, 1)
  fields.rejectUnknown()
  if (url !== '' && !URL.canParse(url)) fields.problem('url', 'must be the URL of the equipment')

  const points = datapoints.map(({ name, accessType, data }, index) => {
    const own = fieldsOf(data, `datapoints[${index}].data`, problems)
    const path = own.text('path') ?? ''
    own.rejectUnknown()
    return { name, href: URL.canParse(path, url) ? new URL(path, url).href : '', writable: accessType !== 'READ' }
  })
  return { config: { url, timeoutMs, points }, problems }
}
