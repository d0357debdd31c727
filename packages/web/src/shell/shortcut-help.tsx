import { Kbd, Stack, Switch, Table, Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { Modal } from '../parts/dialogs.tsx'
import { RichText } from '../parts/link.tsx'
import { shortcuts as texts } from '../texts/palette.ts'
import { LETTER_SHORTCUTS, type LetterShortcut } from './shortcuts.ts'
import { controlKey, useLetterShortcuts } from './use-shortcuts.ts'

/** Lists the keyboard shortcuts. */
export function ShortcutHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [hasLetters, setHasLetters] = useLetterShortcuts()
  const letters = Object.keys(LETTER_SHORTCUTS) as LetterShortcut[]
  return (
    <Modal opened={opened} onClose={onClose} title={texts.title} centered>
      <Stack>
        <Text>{texts.hint}</Text>
        <Table aria-label={texts.title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{texts.key}</Table.Th>
              <Table.Th scope="col">{texts.does}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Row keys={<Keys keys={[controlKey(), 'K']} />} does={texts.what.palette} />
            {hasLetters &&
              letters.map((name) => {
                const [first = '', second]: readonly string[] = LETTER_SHORTCUTS[name]
                const keys = second ? (
                  <RichText
                    message={texts.sequence}
                    values={{ first: <Kbd>{first}</Kbd>, second: <Kbd>{second}</Kbd> }}
                  />
                ) : (
                  <Kbd>{first}</Kbd>
                )
                return <Row key={name} keys={keys} does={texts.what[name]} />
              })}
            <Row keys={<Kbd>Esc</Kbd>} does={texts.what.close} />
          </Table.Tbody>
        </Table>
        <Switch
          label={texts.letters}
          description={texts.lettersHint}
          checked={hasLetters}
          onChange={(event) => setHasLetters(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  )
}

function Row({ keys, does }: { keys: ReactNode; does: string }) {
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{keys}</Table.Td>
      <Table.Td>{does}</Table.Td>
    </Table.Tr>
  )
}

function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key, place) => (
    <Fragment key={key}>
      {place > 0 && '+'}
      <Kbd>{key}</Kbd>
    </Fragment>
  ))
}
