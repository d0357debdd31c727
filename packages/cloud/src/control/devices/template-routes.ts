import { readTemplate, templateNames } from '@plantroom/base/template-folder'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { read } from '@plantroom/contract/read'
import { shown } from '@plantroom/contract/shown'
import { summaryOf, Template } from '@plantroom/contract/templates'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../platform/routes/index.ts'

/** Serves the templates of this installation. They are read when they are first asked for. */
export function templateRoutes(app: FastifyInstance): void {
  let loading: Promise<ReadonlyMap<string, Template>> | undefined

  function templates(): Promise<ReadonlyMap<string, Template>> {
    loading ??= loadTemplates().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  addRoute(app, API.listTemplates, async () => ({ templates: Array.from((await templates()).values(), summaryOf) }))

  addRoute(app, API.getTemplate, async ({ params: { name } }) => {
    const template = (await templates()).get(name)
    if (!template) throw new Failure('notFound', `there is no template ${shown(name)}: GET /api/templates lists them`)
    return template
  })
}

async function loadTemplates(): Promise<ReadonlyMap<string, Template>> {
  const names = await templateNames()
  const load = async (name: string) => [name, read(Template, await readTemplate(name))] as const
  return new Map(await Promise.all(names.map(load)))
}
