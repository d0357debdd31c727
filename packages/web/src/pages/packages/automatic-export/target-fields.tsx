import { Fieldset, Group, PasswordInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { TargetKind } from '@plantroom/contract/automatic-exports'
import { SmallButton } from '../../../parts/small-button.tsx'
import { automaticExport } from '../../../texts/automatic-export.ts'
import { format } from '../../../texts/format.ts'
import { errorsOfTarget, givenOf, kindsFor, type TargetForm } from './export-form.ts'
import { TestTarget } from './test-target.tsx'

const texts = automaticExport.form
type TextField = 'endpoint' | 'region' | 'bucket' | 'prefix' | 'accessKeyId' | 'url' | 'user' | 'path'

/** The fields of one target, with a test. */
export function TargetFields({
  target,
  number,
  offered,
  isTried,
  onChange,
  onRemove,
}: {
  target: TargetForm
  number: number
  offered: readonly TargetKind[]
  isTried: boolean
  onChange: (changes: Partial<TargetForm>) => void
  onRemove: (() => void) | undefined
}) {
  const errors = errorsOfTarget(target)
  const label = format(texts.target, { number })
  const field = (name: TextField, text: string, hint?: string, required = false) => (
    <TextInput
      label={text}
      description={hint}
      value={target[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      required={required}
      error={isTried && errors[name]}
      autoComplete="off"
      spellCheck={false}
    />
  )
  const secret = (text: string) => (
    <PasswordInput
      label={text}
      description={target.hasSecret ? texts.kept : undefined}
      value={target.secret}
      onChange={(event) => onChange({ secret: event.currentTarget.value })}
      required={!target.hasSecret}
      error={isTried && errors.secret}
      autoComplete="new-password"
    />
  )
  return (
    <Fieldset legend={label}>
      <Stack>
        <Select
          label={texts.kind}
          data={kindsFor(offered, target.kind).map((value) => ({ value, label: texts.kinds[value] }))}
          value={target.kind}
          onChange={(value) => value && onChange({ kind: value, hasSecret: false, secret: '' })}
          allowDeselect={false}
        />
        {target.kind === 's3' && (
          <>
            {field('endpoint', texts.endpoint, texts.endpointHint)}
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {field('region', texts.region, undefined, true)}
              {field('bucket', texts.bucket, undefined, true)}
            </SimpleGrid>
            {field('prefix', texts.prefix, texts.prefixHint)}
            {field('accessKeyId', texts.accessKeyId, undefined, true)}
            {secret(texts.secretAccessKey)}
          </>
        )}
        {target.kind === 'webdav' && (
          <>
            {field('url', texts.url, texts.urlHint, true)}
            {field('user', texts.user, undefined, true)}
            {secret(texts.password)}
          </>
        )}
        {target.kind === 'folder' && field('path', texts.path, texts.pathHint)}
        <Group justify="space-between" align="flex-start">
          <TestTarget target={givenOf(target)} label={label} disabled={Object.keys(errors).length > 0} />
          {onRemove && (
            <SmallButton aria-label={format(texts.removeTarget, { number })} onClick={onRemove}>
              {automaticExport.remove.button}
            </SmallButton>
          )}
        </Group>
      </Stack>
    </Fieldset>
  )
}
