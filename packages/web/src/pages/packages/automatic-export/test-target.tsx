import { Alert, Button, Stack, Text } from '@mantine/core'
import type { GivenTarget } from '@plantroom/contract/automatic-exports'
import { useChange } from '../../../api/use-operation.ts'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { sentence } from '../../../parts/value.ts'
import { automaticExport } from '../../../texts/automatic-export.ts'
import { format } from '../../../texts/format.ts'
import classes from './automatic-export.module.css'

const texts = automaticExport.test

/** A button that writes, reads and deletes a file at a target, and what came of it. */
export function TestTarget({ target, label, disabled }: { target: GivenTarget; label: string; disabled?: boolean }) {
  const test = useChange('testExportTarget')
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="xs"
        variant="default"
        aria-label={format(texts.label, { target: label })}
        onClick={() => test.mutate({ body: { target } })}
        loading={test.isPending}
        disabled={disabled ?? false}
      >
        {texts.button}
      </Button>
      {test.error && <ErrorNotice error={test.error} />}
      {test.data?.ok && (
        <Text size="sm" role="status">
          {texts.ok}
        </Text>
      )}
      {test.data?.ok === false && (
        <Alert color="red" variant="light" title={texts.failed} role="alert">
          <Text size="sm">{test.data.failedStep && texts.step[test.data.failedStep]}</Text>
          <Text size="sm" className={classes.message}>
            {sentence(test.data.message)}
          </Text>
        </Alert>
      )}
    </Stack>
  )
}
