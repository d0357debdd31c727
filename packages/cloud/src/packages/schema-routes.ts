import { manifestSchemaBytes } from '@plantroom/fpl/manifest-schema'
import type { FastifyInstance } from 'fastify'

/** The published schema of a manifest, the very bytes that packages are judged by. */
export function schemaRoutes(app: FastifyInstance): void {
  const bytes = Buffer.from(manifestSchemaBytes())
  app.get(
    '/schemas/ticket-export-v1.json',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        tags: ['Maintenance requests'],
        summary: 'The JSON Schema (draft-07) of manifest.json, for an editor or a program that writes packages',
        response: { 200: { type: 'object', additionalProperties: true } },
      },
      // The bytes as they are, not an object made anew from them.
      serializerCompiler: () => (data) => String(data),
    },
    // An editor on another page, or in a browser, may read it too.
    async (_request, reply) =>
      reply
        .type('application/schema+json')
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=3600')
        .send(bytes),
  )
}
