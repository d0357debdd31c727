import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { parseTimestamp } from '@plantroom/contract/timestamp'

/** Bodies are validated as sent: "5" is not a number, and unknown fields are refused or ignored, never removed. */
export const AJV_OPTIONS = {
  coerceTypes: false as const,
  removeAdditional: false as const,
  // Errors say what was sent and which fields there are, for the name that a caller may have meant.
  verbose: true,
  // A value of a table may be a number or a word.
  allowUnionTypes: true,
  formats: { timestamp: (text: string) => parseTimestamp(text) !== undefined },
}

type CompileValidator = ReturnType<BuildCompilerFromPool>
type Validate = ReturnType<CompileValidator>
type BuildSerializer = ReturnType<typeof SerializerSelector>

/**
 * Compiles the schema of a route when it is first used. Compiling all of them takes a quarter of the CPU of
 * a start, and most processes use few.
 */
export function lazySchemas(): { buildValidator: BuildCompilerFromPool; buildSerializer: BuildSerializer } {
  const [buildValidator, buildSerializer] = [AjvCompiler(), SerializerSelector()]
  return {
    buildValidator: (externalSchemas, options) => {
      const compile = buildValidator(externalSchemas, options)
      return (route) => lazyValidator(() => compile(route))
    },
    buildSerializer: (externalSchemas, options) => {
      const compile = buildSerializer(externalSchemas, options)
      return (route) => {
        let serialize: ReturnType<typeof compile> | undefined
        return (data) => {
          serialize ??= compile(route)
          return serialize(data)
        }
      }
    },
  }
}

function lazyValidator(compile: () => Validate): Validate {
  let compiled: Validate | undefined
  function validate(data: unknown) {
    compiled ??= compile()
    const isValid = compiled(data)
    validate.errors = compiled.errors
    return isValid
  }
  validate.errors = undefined as Validate['errors']
  // Fastify calls it and reads its errors, nothing else.
  return validate as Validate
}
