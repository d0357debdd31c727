import { createLanguages, wordsOf } from '../../parts/languages.ts'

/**
 * Redmine writes the header of its CSV in the language of the person, and names the states and priorities of a new
 * installation in the language of that day.
 */
export const languages = createLanguages({
  columns: {
    '#': '',
    Project: 'Projekt | Projet | Proyecto | Projeto | Projeto | Progetto | | Projekt | Projekt',
    Tracker: '| | Tipo | Tipo | Tipo | | | Typ zagadnienia | Valdkond',
    'Parent task':
      'Übergeordnetes Ticket | Tâche parente | Tarea padre | Tarefa principal | Tarefa mãe | Attività principale | Hoofdissue | Zagadnienie nadrzędne | Pärineb teemast',
    'Parent task subject':
      "Thema des übergeordneten Tickets | Sujet de la demande parent | | | Assunto da tarefa pai | Oggetto dell'attività principale | | Tytuł zagadnienia nadrzędnego |",
    Status: '| Statut | Estado | Estado | Situação | Stato | | | Olek',
    Priority:
      'Priorität | Priorité | Prioridad | Prioridade | Prioridade | Priorità | Prioriteit | Priorytet | Prioriteet',
    Subject: 'Thema | Sujet | Asunto / Tema | Assunto | Título | Oggetto | Onderwerp | Temat | Teema',
    Author: 'Autor | Auteur | Autor | Autor | Autor | Autore | Auteur | Autor | Autor',
    Assignee:
      'Zugewiesen an | Assigné à | Asignado a | Atribuído a | Atribuído para | Assegnato a | Toegewezen aan | Przypisany do | Tegeleja',
    Watchers:
      'Beobachter | Observateurs | Seguidores | Observadores | Observadores | Osservatori | Volgers | Obserwatorzy | Jälgijad',
    Updated:
      'Aktualisiert | Mis-à-jour | Actualizado | Alterado | Alterado em | Aggiornato | Laatst gewijzigd op | Data modyfikacji | Uuendatud',
    Category:
      'Kategorie | Catégorie | Categoría | Categoria | Categoria | Categoria | Categorie | Kategoria | Kategooria',
    'Target version':
      'Zielversion | Version cible | Versión prevista | Versão | Versão | Versione prevista | Versie | Wersja docelowa | Sihtversioon',
    'Start date':
      'Beginn | Début | Fecha de inicio | Data de início | Início | Inizio | Startdatum | Data rozpoczęcia | Alguskuupäev',
    'Due date':
      'Abgabedatum | Echéance | Fecha fin | Data de fim | Data prevista | Scadenza | Verwachte einddatum | Data oddania | Tähtaeg',
    'Estimated time':
      'Geschätzter Aufwand | Temps estimé | Tiempo estimado | Tempo estimado | Tempo estimado | Tempo stimato | Geschatte tijd | Szacowany czas | Eeldatav ajakulu',
    'Spent time':
      'Aufgewendete Zeit | Temps passé | Tiempo dedicado | Tempo gasto | Tempo gasto | Tempo impiegato | Gespendeerde tijd | Przepracowany czas | Kulutatud aeg',
    'Total spent time':
      '| Temps passé total | Tiempo total dedicado | Total de tempo registado | Tempo gasto geral | Totale tempo impiegato | Totaal gespendeerde tijd | | Kokku kulutatud aeg',
    '% Done':
      '% erledigt | % réalisé | % Realizado | % Completo | % Terminado | % Completato | % voltooid | % Wykonania | % tehtud',
    Created: 'Angelegt | Créé | Creado | Criado | Criado em | Creato | Aangemaakt op | Data utworzenia | Loodud',
    Closed:
      'Geschlossen am | Fermé | Cerrada | Fechado | Concluído | Chiuso | Gesloten | Data zamknięcia | Suletud kuupäeval',
    'Last updated by':
      'Zuletzt geändert von | Dernière mise à jour par | Última actualización de | Última atualização por | Última atualização por | Ultimo aggiornamento di | | Ostatnio zaktualizowane przez |',
    'Related issues':
      'Zugehörige Tickets | Demandes liées | Peticiones relacionadas | Tarefas relacionadas | Tarefas relacionadas | Segnalazioni correlate | Gerelateerde issues | Powiązane zagadnienia | Seotud teemad',
    Files: 'Dateien | Fichiers | Ficheros | Ficheiros | Arquivos | File | Bestanden | Pliki | Failid',
    Private: 'Privat | Privée | Privada | Privado | Privado | Privato | Privé | Prywatne | Privaatne',
    Description: 'Beschreibung | | Descripción | Descrição | Descrição | Descrizione | Beschrijving | Opis | Kirjeldus',
    'Last notes':
      'Letzte Kommentare | Dernières notes | Últimas notas | | Últimas notas | Ultime note | | Ostatnie notatki |',
  },
  states: {
    new: { New: 'Neu | Nouveau | Nueva | Novo | Nova | Nuovo | Nieuw | Nowy | Avatud' },
    in_progress: {
      'In Progress':
        'In Bearbeitung | En cours | En curso | Em curso | Em andamento | In elaborazione | In uitvoering | W toku | Töös',
    },
    resolved: {
      Resolved: 'Gelöst | Résolu | Resuelta | Resolvido | Resolvida | Risolto | Opgelost | Rozwiązany | Lahendatud',
    },
    on_hold: { Feedback: '| Commentaire | Comentarios | | | Commenti | Terugkoppeling | Odpowiedź | Tagasiside' },
    closed: { Closed: 'Erledigt | Fermé | Cerrada | Fechado | Fechada | Chiuso | Gesloten | Zamknięty | Suletud' },
    canceled: {
      Rejected:
        'Abgewiesen | Rejeté | Rechazada | Rejeitado | Rejeitada | Rifiutato | Afgewezen | Odrzucony | Tagasi lükatud',
    },
  },
  priorities: {
    0: { Low: 'Niedrig | Bas | Baja | Baixa | Baixa | Bassa | Laag | Niski | Aega on' },
    1: { Normal: '| | | | | Normale | Normaal | Normalny | Tavaline' },
    2: { High: 'Hoch | Haut | Alta | Alta | Alta | Alta | Hoog | Wysoki | Pakiline' },
    3: {
      Urgent: 'Dringend | | Urgente | Urgente | Urgente | Urgente | Dringend | Pilny | Täna vaja',
      Immediate:
        'Sofort | Immédiat | Inmediata | Imediata | Imediata | Immediata | Onmiddellijk | Natychmiastowy | Kohe vaja',
    },
  },
})

/** What a cell of `Private` contains for no. */
export const NO: ReadonlySet<string> = new Set(wordsOf('No', 'Nein | Non | | Não | Não | | Nee | Nie | Ei'))
