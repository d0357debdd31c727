import { createLanguages, wordsOf } from '../../parts/languages.ts'

/** Columns of a search under the names that the REST interface has for them, and the states of a new installation. */
export const languages = createLanguages({
  columns: {
    'id / #': 'ID | n° | | | identificador | Codice | | Numer |',
    Subject: 'Betreff | Sujet | Asunto | Assunto | Assunto | Oggetto | Onderwerp | Temat |',
    Status: '| Statut | Estado | Estado | Estado | Stato | | |',
    'Queue / QueueName / Queue Name':
      'Bereich / Bereichsname | File / NomFile | Cola / NombreCola | NomedaQueue | Fila / NomeFila | Servizio / NomeCoda | Wachtrij / WachtrijNaam | Kolejka / NazwaKolejki | Järjekord',
    'Owner / OwnerName':
      'Besitzer / Besitzername | Intervenant / NomIntervenant | Propietario / Nombre_del_Propietario | Dono / NomedoDono | Proprietário / Nome Proprietário | Incaricato / NomeIncaricato | Eigenaar / Naam van de eigenaar | Właściciel / NazwaWłaściciela | Omanik',
    Priority:
      'Priorität | Priorité | Prioridad | Prioridade | Prioridade | Priorità | Prioriteit | Priorytet | Tähtsus',
    'Requestor / Requestors':
      'Auftraggeber | Demandeurs / Demandeur | Solicitantes / Solicitante | Requerentes / Requerente | Requisitantes / Requisitante | Richiedenti / Richiedente | Aanvragers / Aanvrager | Zgłaszający | Nõudjad / Nõudja',
    Cc: '| | | | Cópia para | | | DW | Koopia',
    AdminCc: '| | | | | | BeheerderCc | | Koopia haldusele',
    Created: 'Erstellt | Créé | Creado | Criado | Criado | Creato | Gecreëerd | Zarejestrowane | Loodud',
    'Last updated':
      'Zuletzt aktualisiert | Date dernière MAJ / DateDernièreMAJ | Actualizado por ultima vez / ÚltimaActualización | Última actualização / ÚltimaActualização | Atualizado em / UltimaAtualizacao | Ultima modifica / UltimaModifica | Laatst bijgewerkt | Ostatnia aktualizacja / OstAktualiz | Viimati uuendatud / ViimatiUuendatud',
    Resolved: 'Erledigt | Résolu | Resuelto | Resolvido | Resolvido | Risolto | Opgelost | Zamknięte | Lahendatud',
    Started: 'Begonnen | Ouvert le | Comenzado | Iniciado | Iniciado | Iniziato | Gestart | Realizacja rozpoczęta |',
    Starts: 'Beginnt | Débute | Comienzo | Começa | Inicia | InizioPrevisto | Begint | Początek realizacji |',
    Due: 'Fällig | Échéance | Fecha límite | Prazo | Vencimento | Scadenza | Verwacht | Termin realizacji | Tähtaeg',
    'Last contact / Told':
      'Letzter Kontakt | Dernier contact / Annoncé | Último contacto / Última actualización | Último Contacto / actualizado | Último Contato / Última atualização | Ultima comunicazione a richiedenti | Laatste contact / Verteld | Ostatnia modyfikacja / Wpłynęło | Viimane kontakt',
    'Time worked':
      'Gearbeitete Zeit | Temps passé / TempsPassé | Tiempo Trabajado | Tempo de trabalho | Tempo Trabalhado | Tempo lavorato / Tempo Impiegato | Gewerkte tijd | Czas realizacji |',
    'Time estimated':
      'Geschätzte Zeit | Temps estimé | Tiempo Estimado | Tempo previsto / TempoEstimado | Tempo Estimado | Tempo stimato | Geschatte tijd | Szacowany czas |',
    'Time left':
      'Verbleibende Zeit | Temps restant | Tiempo Restante | Tempo disponível / TempoRestante | Tempo Restante | Tempo rimasto / Tempo Rimanente | Resterende tijd | Pozostały czas |',
    'Initial priority':
      'Startpriorität | Priorité initiale | Prioridad inicial | Prioridade Inicial | Prioridade Inicial | Priorità iniziale / PrioritaIniziale | Initiële prioriteit | Początkowy priorytet | Esialgne prioriteet',
    'Final priority':
      'Endpriorität | Priorité finale | Prioridad Final | Prioridade final | Prioridade Final | Priorità finale / PrioritaFinale | Uiteindelijke prioriteit | Końcowy priorytet | Lõplik prioriteet',
    'Creator / CreatedBy / Created By':
      'Ersteller / Erstellt von | Créateur / Créé Par | Creador / Creado por | Criado por | Criador / Criado Por | CreatoDa | Aangemaakt door / GecreëerdDoor | Utworzono przez / UtworzonyPrzez | Looja',
    'Last updated by':
      'Zuletzt aktualisiert von / Zuletzt bearbeitet von | Dernière MAJ Par | Última Actualización Por / ÚltimaActualizaciónDe | Última Actualização Por | Última atualização por | Modificato Da / ModificatoPerUltimoDa | Laatst bijgewerkt door | Ostatnio zaktualizowane przez / OstAktPrzez | Viimane uuendaja / Viimati uuendas',
  },
  states: {
    new: { new: 'neu | nouveau | nuevo | novo | novo | nuovo | nieuw | nowe | uus' },
    open: { open: 'offen | ouvert | abierto | aberto | aberto | aperto | | otwarte | ava' },
    on_hold: {
      stalled:
        'zurückgestellt | stagnant | pendiente | pendente | pendente | in stallo | geparkeerd | zamrożone | seiskus',
    },
    resolved: {
      resolved: 'erledigt | résolu | resuelto | resolvido | resolvido | risolto | opgelost | zamknięte | lahendatud',
    },
    canceled: {
      rejected:
        'abgewiesen | rejeté | rechazado | rejeitado | rejeitado | respinto | afgewezen | odrzucone | lükati tagasi',
      deleted: 'gelöscht | effacé | borrado | apagado | removido | cancellato | verwijderd | usunięte | kustutatud',
    },
  },
  // RT translates none.
  priorities: { 0: { Low: '' }, 1: { Medium: '' }, 2: { High: '' } },
})

/** What RT writes for a date that is not set. */
export const NOT_SET: ReadonlySet<string> = new Set(
  wordsOf(
    'Not set',
    'Nicht angegeben | Non renseigné | No establecido | Não definido | Não definido | Non impostato | Niet gezet | Nie ustawiona | Pole määratud',
  ),
)
