import { createLog } from '@plantroom/base/log'
import { templateNames } from '@plantroom/base/template-folder'
import { fillTemplate, sampleAnswers, type Template, templateProblems } from '@plantroom/contract/templates'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../platform/http/server.ts'
import { templateRoutes } from './template-routes.ts'

function serve() {
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  onTestFinished(() => app.close())
  templateRoutes(app)
  return app
}

test('lists every template of the installation, and serves each as its file says', async () => {
  const app = serve()
  const { templates } = (await app.inject('/api/templates')).json<{ templates: { name: string }[] }>()
  expect(templates.map(({ name }) => name)).toEqual(await templateNames())
  for (const { name } of templates) {
    const template = (await app.inject(`/api/templates/${name}`)).json<Template>()
    expect([name, templateProblems(template)]).toEqual([name, []])
    expect(fillTemplate(template, sampleAnswers(template)).problems).toBeUndefined()
  }
})

test.each(['no-such-template', '..%2Fpackage', '__proto__'])('answers 404 to %s', async (name) => {
  const answer = await serve().inject(`/api/templates/${name}`)
  expect([answer.statusCode, answer.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })])
})
