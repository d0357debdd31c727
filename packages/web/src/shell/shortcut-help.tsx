import { Kbd, Stack, Switch, Table, Text } from '@mantine/core'
import { Modal } from '../parts/dialogs.tsx'
import { RichText } from '../parts/link.tsx'
import { controlKey, isLetter, type Shortcut, shortcutsNow, useLetterShortcuts } from '../parts/use-shortcuts.ts'
import { shortcuts as texts } from '../texts/palette.ts'

/** Lists the keyboard shortcuts of the open page: the same ones that run. */
export function ShortcutHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [hasLetters, setHasLetters] = useLetterShortcuts()
  const working = shortcutsNow().filter((each) => hasLetters || !isLetter(each))
  return (
    <Modal opened={opened} onClose={onClose} title={texts.title} centered>
      <Stack>
        <Text>{texts.hint}</Text>
        <Table aria-label={texts.title} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{texts.key}</Table.Th>
              <Table.Th scope="col">{texts.does}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {working.map((shortcut) => (
              <Table.Tr key={shortcut.does}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <Keys {...shortcut} />
                </Table.Td>
                <Table.Td>{shortcut.does}</Table.Td>
              </Table.Tr>
            ))}
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

function Keys({ keys: [first, second], control }: Shortcut) {
  if (second !== undefined) {
    return <RichText message={texts.sequence} values={{ first: <Key of={first} />, second: <Key of={second} /> }} />
  }
  return (
    <>
      {control && <Kbd>{controlKey()}</Kbd>}
      {control && '+'}
      <Key of={first} />
    </>
  )
}

/** A key as keyboards name it. Letters are typed in lower case and printed in upper case. */
const Key = ({ of }: { of: string }) => <Kbd>{of === 'Escape' ? 'Esc' : of.toUpperCase()}</Kbd>
