import { route } from '../route.ts'
import { array, object } from '../schema.ts'
import { Template, TemplateSummary } from '../templates/template.ts'

const anyone = { by: 'anyone' } as const

/** Templates of equipment, as this version ships them. */
export const templateRoutes = {
  listTemplates: route({
    method: 'GET',
    path: '/api/templates',
    access: anyone,
    tag: 'Administration',
    summary: 'List the equipment templates of this version',
    reply: object({ templates: array(TemplateSummary) }),
  }),
  getTemplate: route({
    method: 'GET',
    path: '/api/templates/:name',
    access: anyone,
    tag: 'Administration',
    summary: 'A template: its questions, and the datapoints with placeholders for the answers',
    description:
      'The schema of a template file. Answers make it a commissioning file; `plantroom commission --from-template` does so.',
    reply: Template,
  }),
} as const
