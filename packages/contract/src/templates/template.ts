import { ACCESS_TYPES, datapointLabels } from '../datapoint.ts'
import { NOT_BLANK } from '../patterns.ts'
import { PROTOCOLS } from '../protocols.ts'
import {
  anyObject,
  anyOf,
  array,
  boolean,
  closedObject,
  integer,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from '../schema.ts'
import { KEY, NUMBER_PLACEHOLDER } from './placeholders.ts'

/** What a template is for, with its name for people. */
export const TEMPLATE_FAMILIES = {
  meter: 'Energy meters',
  inverter: 'Inverters and battery systems',
  'heat-pump': 'Heat pumps',
  charger: 'EV chargers',
  drive: 'Variable frequency drives',
  ventilation: 'Ventilation',
  switch: 'Switches and relays',
  gateway: 'Gateways',
} as const
export type TemplateFamily = keyof typeof TEMPLATE_FAMILIES

/** What a template was tried against. Few are tried on the equipment itself. */
export const TRIED = ['simulated map', 'equipment'] as const

export const QUESTION_TYPES = ['text', 'id', 'secret', 'integer', 'number', 'choice'] as const

const line = (description: string, maxLength = 200) =>
  text({ minLength: 1, maxLength, pattern: NOT_BLANK, description })
/** A number, or an answer that is one. */
const amount = (description?: string) =>
  ({
    ...anyOf([number(), text({ maxLength: 100 })]),
    pattern: NUMBER_PLACEHOLDER,
    ...(description && { description }),
  }) as ReturnType<typeof anyOf<ReturnType<typeof number> | ReturnType<typeof text>>>
const answer = anyOf([text({ maxLength: 255 }), number()])

export const TemplateQuestion = closedObject({
  key: text({ maxLength: 64, pattern: `^${KEY}$`, description: 'How placeholders and --set call the answer' }),
  question: line('What the installer is asked, with the unit of the answer'),
  type: oneOf(QUESTION_TYPES, {
    description:
      'text: any line; id: letters, digits and . _ : / -; secret: text that is not shown; choice: one of choices',
  }),
  choices: optional(array(answer, { minItems: 1, maxItems: 50 })),
  min: optional(number()),
  max: optional(number()),
  default: optional(answer),
  example: optional(answer),
  optional: optional(boolean({ description: 'Without an answer, the fields that hold its placeholder are left out' })),
})
export interface TemplateQuestion extends Static<typeof TemplateQuestion> {}

const range = closedObject({ min: amount(), max: amount() })

export const TemplateDatapoint = closedObject({
  name: line('The name of the datapoint', 255),
  accessType: oneOf(ACCESS_TYPES),
  ...datapointLabels,
  data: anyObject({ description: 'The address, as in a commissioning file' }),
  scale: optional(amount('Engineering value of one raw unit: value = raw * scale + offset (1)')),
  offset: optional(amount('(0)')),
  range: optional({ ...range, description: 'Values that the equipment can show, to check type and scale' }),
  writeInputData: optional({ ...range, description: 'The envelope. Required where the datapoint can be written' }),
  releaseValue: optional(amount()),
  limits: optional(
    closedObject({
      min: optional(amount()),
      max: optional(amount()),
      maxStepPerMinute: optional(amount()),
      minOnSeconds: optional(amount()),
      minOffSeconds: optional(amount()),
      maxStartsPerDay: optional(amount()),
    }),
  ),
  failsafe: optional(closedObject({ reversion: optional(text()), heartbeat: optional(text()), seconds: amount() })),
  release: optional(
    line(
      'What ends a setpoint, and what the equipment does if the controller dies. Required where it can be written',
      500,
    ),
  ),
  analyticsInterval: optional(integer({ minimum: 0, maximum: 86_400 })),
  analyticsCalculateConsumption: optional(boolean()),
  broadcastInterval: optional(integer({ minimum: 0, maximum: 86_400 })),
  writeInterval: optional(integer({ minimum: 0, maximum: 86_400 })),
})
export interface TemplateDatapoint extends Static<typeof TemplateDatapoint> {}

/** A connection of a commissioning file with questions in place of what differs between buildings. */
export const Template = closedObject(
  {
    name: text({
      maxLength: 64,
      pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
      description: 'The name of the file, without .yaml',
    }),
    title: line('The name for people', 100),
    maker: line('Who makes the equipment, or generic', 100),
    model: line('The models that it covers', 200),
    family: oneOf(Object.keys(TEMPLATE_FAMILIES) as TemplateFamily[]),
    about: optional(line('What it reads and sets', 500)),
    protocols: array(closedObject({ protocol: oneOf(PROTOCOLS), settings: anyObject() }), {
      minItems: 1,
      maxItems: 5,
      description: 'The ways to reach the equipment; the first is the usual one',
    }),
    questions: optional(array(TemplateQuestion, { maxItems: 30 })),
    datapoints: array(TemplateDatapoint, { minItems: 1, maxItems: 500 }),
    notes: optional(array(line('What to set or check on site', 500), { maxItems: 20 })),
    tried: oneOf(TRIED, { description: 'What it was tried against' }),
    sources: array(
      closedObject({ title: line('The title of the document'), url: text({ maxLength: 500, pattern: '^https://' }) }),
      {
        minItems: 1,
        maxItems: 10,
        description: 'Where the addresses come from',
      },
    ),
  },
  { description: 'An equipment template of Plantroom' },
)
export interface Template extends Static<typeof Template> {}

/** What a list shows of a template. */
export const TemplateSummary = object({
  name: Template.properties.name,
  title: Template.properties.title,
  maker: Template.properties.maker,
  model: Template.properties.model,
  family: Template.properties.family,
  protocols: array(oneOf(PROTOCOLS)),
  datapoints: integer(),
  writable: integer({ description: 'How many datapoints can be written' }),
  tried: Template.properties.tried,
})
export interface TemplateSummary extends Static<typeof TemplateSummary> {}

export function summaryOf({ protocols, datapoints, ...template }: Template): TemplateSummary {
  const { name, title, maker, model, family, tried } = template
  const writable = datapoints.filter(({ accessType }) => accessType !== 'READ').length
  const names = protocols.map(({ protocol }) => protocol)
  return { name, title, maker, model, family, tried, protocols: names, datapoints: datapoints.length, writable }
}
