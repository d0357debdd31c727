import { Button, Group, Image, Stack, Text } from '@mantine/core'
import type { RequestCode } from '@plantroom/contract/api'
import { useEffect } from 'react'
import { renderSVG } from 'uqr'
import { useSite } from '../../api/use-site.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { CopyField } from '../../parts/shown-once.tsx'
import { format } from '../../texts/format.ts'
import { people } from '../../texts/people.ts'
import classes from './print-code.module.css'

const texts = people.codes

/** Shows a code with what it is on. Printed, nothing else is on the paper. */
export function PrintCode({ code, onClose }: { code: RequestCode; onClose: () => void }) {
  const { site } = useSite()
  useEffect(() => {
    document.body.dataset.prints = 'dialog'
    return () => {
      delete document.body.dataset.prints
    }
  }, [])
  return (
    <Modal opened onClose={onClose} title={code.label} centered>
      <Stack align="center">
        <Text fw={700} size="lg" ta="center">
          {texts.scan}
        </Text>
        <Image
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(code.url, { border: 2 }))}`}
          alt={format(texts.qr, { url: code.url })}
          className={classes.code}
        />
        <Text ta="center">{[code.label, code.unit, site.name].filter(Boolean).join(' · ')}</Text>
        <Stack w="100%" data-print="never">
          <CopyField label={texts.address} value={code.url} />
          <Group justify="flex-end">
            <Button onClick={() => window.print()}>{texts.print}</Button>
          </Group>
        </Stack>
      </Stack>
    </Modal>
  )
}
