import type { Texts } from './en.ts';

export const de: Texts = {
  locale: 'de',
  dir: 'ltr',
  name: 'Deutsch',
  language: 'Sprache',
  title: 'Deine eSIM für {place}',
  testNotice: 'Das ist eine Test-eSIM. Sie lässt sich nicht installieren.',
  data: 'Datenvolumen',
  validity: 'Gültigkeit',
  unlimited: 'Unbegrenzt',
  states: { not_active: 'Bereit', active: 'Aktiv', depleted: 'Daten verbraucht', expired: 'Abgelaufen' },
  usage: {
    title: 'Dein Datenvolumen',
    left: 'Noch {left} von {total}',
    used: '{used} verbraucht',
    timeLeft: 'Restlaufzeit',
    validUntil: 'Gültig bis',
    asOf: 'Stand: {time}',
    old: 'Diese Angaben sind vielleicht nicht mehr aktuell. Stand: {time}',
    startsOnUse:
      'Noch nichts verbraucht. Die Laufzeit beginnt, sobald sich die eSIM am Reiseziel zum ersten Mal verbindet.',
    startsOnInstall: 'Noch nichts verbraucht. Die Laufzeit beginnt mit der Installation der eSIM.',
    depleted: 'Dein Datenvolumen ist aufgebraucht.',
    expired: 'Dieser Tarif ist abgelaufen.',
    refill: 'Datenvolumen nachkaufen',
  },
  install: {
    title: 'eSIM installieren',
    again: 'Installationsdaten',
    before:
      'Du brauchst eine Internetverbindung, am besten WLAN. Eine eSIM lässt sich nur einmal installieren, lösche sie danach also nicht.',
    phone: 'Dein Telefon',
    iphone: {
      button: 'Auf iPhone installieren',
      needs: 'Ab iOS 17.4. Auf älteren Versionen nutze den QR-Code oder die Codes auf dieser Seite.',
      steps: [
        'Tippe auf „Auf iPhone installieren“ und folge den Anweisungen.',
        'Nenne die neue Leitung „Reise“ und behalte deine eigene Nummer für Anrufe und Nachrichten.',
        'Öffne nach der Ankunft Einstellungen › Mobilfunk, wähle die eSIM und schalte die Leitung und Datenroaming ein.',
        'Tippe auf „Mobile Daten“ und wähle die eSIM.',
      ],
    },
    android: {
      button: 'Auf Android installieren',
      needs: 'Falls nichts passiert, nutze den QR-Code oder die Codes auf dieser Seite.',
      steps: [
        'Tippe auf „Auf Android installieren“ und folge den Anweisungen.',
        'Nenne die neue SIM „Reise“ und behalte deine eigene Nummer für Anrufe und Nachrichten.',
        'Öffne nach der Ankunft Einstellungen › Netzwerk & Internet › SIMs (Samsung: Verbindungen › SIM-Manager) und schalte die eSIM ein.',
        'Wähle die eSIM für mobile Daten und schalte für sie Roaming ein.',
      ],
    },
  },
  qr: {
    title: 'QR-Code scannen',
    scan: 'Richte die Kamera deines Telefons auf den Code und folge den Anweisungen.',
    elsewhere:
      'Öffne diese Seite auf einem anderen Bildschirm oder drucke sie aus und scanne den Code mit der Kamera deines Telefons.',
    label: 'QR-Code, der die eSIM installiert',
  },
  device: {
    title: 'Kann dein Handy eSIM?',
    model: 'Modell deines Handys',
    check: 'Prüfen',
    found: 'Diese Modelle können eSIM',
    more: 'Und {count} weitere. Gib mehr vom Namen ein.',
    missing: 'Nicht auf unserer Liste',
    sure: 'In manchen Ländern gibt es Varianten ohne eSIM, und neue Modelle können hier fehlen. Sicher ist: Wähle auf dem Handy *#06#. Erscheint eine EID, kann es eSIM. Es darf nicht an einen Anbieter gebunden sein.',
  },
  manual: {
    title: 'Codes selbst eingeben',
    smdp: 'SM-DP+-Adresse',
    activation: 'Aktivierungscode',
    confirmation: 'Bestätigungscode',
    whole: 'Vollständiger Code, falls dein Telefon nur einen verlangt',
    copy: 'Kopieren',
    copied: 'Kopiert',
  },
  connect: {
    title: 'Nach der Ankunft',
    roamingOn: 'Schalte Datenroaming für diese eSIM ein. Das kostet nichts extra.',
    roamingOff: 'Datenroaming brauchst du für diese eSIM nicht.',
    apnAutomatic: 'Der APN wird automatisch eingestellt.',
    apn: 'Falls kein Internet da ist, stelle für die eSIM diesen APN ein:',
    trouble: 'Kein Internet?',
    tries: [
      'Prüfe, ob die mobilen Daten über diese eSIM laufen und Roaming eingeschaltet ist.',
      'Schalte den Flugmodus für zehn Sekunden ein und wieder aus.',
      'Starte dein Telefon neu.',
    ],
  },
  support: 'Hilfe holen',
  supportOf: '{name} kontaktieren',
  keepPrivate: 'Behalte diese Seite für dich: Wer den Link hat, kann deine eSIM installieren.',
  noTracking: 'Keine Cookies, kein Tracking.',
  mail: {
    subject: 'Deine eSIM',
    subjectOf: 'Deine eSIM von {name}',
    here: 'Hier ist deine eSIM. Die Seite zeigt, wie du sie installierst, und später, wie viel Datenvolumen noch übrig ist:',
    keepPrivate: 'Behalte den Link für dich: Wer ihn hat, kann die eSIM installieren.',
    help: 'Hilfe: {address}',
    sentBy: 'Gesendet von {name}.',
  },
  help: {
    button: 'Es funktioniert nicht',
    question: 'Was zeigt dein Telefon an?',
    symptoms: {
      cannot_install: 'Die eSIM lässt sich nicht installieren',
      not_listed: 'Ich finde die eSIM nicht auf dem Telefon',
      no_signal: 'Kein Netz',
      no_internet: 'Netz, aber kein Internet',
      slow: 'Das Internet ist sehr langsam',
      other: 'Etwas anderes',
    },
    steps: {
      wait: {
        title: 'Deine neue eSIM ist unterwegs',
        text: 'Meist ist sie in wenigen Minuten bereit. Öffne diese Seite etwas später noch einmal.',
      },
      plan_ended: {
        title: 'Dein Tarif ist abgelaufen',
        text: 'Die Laufzeit ist vorbei, deshalb gibt es keine Verbindung mehr. Du brauchst eine neue eSIM.',
      },
      paused: {
        title: 'Diese eSIM ist gesperrt',
        text: 'Sie verbindet sich erst wieder, wenn die Sperre aufgehoben ist. Bitte um Hilfe, wir sehen es uns an.',
      },
      removed: {
        title: 'Die eSIM wurde vom Telefon gelöscht',
        text: 'Eine eSIM lässt sich nur einmal installieren und nicht zurückholen. Du brauchst eine neue: Bitte um Hilfe.',
      },
      already_installed: {
        title: 'Die eSIM ist schon installiert',
        text: 'Eine eSIM lässt sich nur einmal installieren. Suche sie in den Einstellungen des Telefons, auf dem sie installiert wurde, und schalte sie dort ein.',
      },
      retry_install: {
        title: 'Gib die Codes selbst ein',
        text: 'Verbinde dich mit dem WLAN und starte das Telefon neu. Öffne dann die Seite deiner eSIM, wähle „Codes selbst eingeben“ und übertrage die Codes in die eSIM-Einstellungen des Telefons.',
      },
      install: {
        title: 'Installiere die eSIM',
        text: 'Sie scheint noch nicht auf deinem Telefon zu sein. Du brauchst WLAN und etwa zwei Minuten.',
      },
      not_covered: {
        title: 'Dein Tarif gilt nicht in diesem Land',
        text: 'Die eSIM war zuletzt in einem Land, in dem dein Tarif nicht gilt. Er gilt für: {place}.',
      },
      add_data: {
        title: 'Dein Datenvolumen ist aufgebraucht',
        text: 'Sobald Daten nachgebucht sind, verbindet sich die eSIM wieder.',
      },
      outage: {
        title: 'Es scheint eine Störung zu geben',
        text: 'Das Netz antwortet uns gerade nicht, also liegt es wohl nicht an deinem Telefon. Lass die eSIM eingeschaltet und sieh in einer halben Stunde wieder nach.',
      },
      switch_on: { title: 'Schalte die eSIM ein', text: 'Sie ist installiert, aber dein Telefon benutzt sie nicht.' },
      set_apn: {
        title: 'Stelle den APN ein',
        text: 'Öffne in den Einstellungen der eSIM „Mobiles Datennetzwerk“ (Android: „Zugangspunkte“ oder „APN“), trage diesen APN ein und starte das Telefon neu.',
      },
      turn_on_data: {
        title: 'Nutze die eSIM für mobile Daten',
        text: 'Dein Telefon hat Netz, schickt die Daten aber über einen anderen Weg.',
      },
      find_network: {
        title: 'Lass das Telefon ein Netz suchen',
        text: 'Schalte den Flugmodus für zehn Sekunden ein und wieder aus. Immer noch kein Netz? Schalte in den Einstellungen der eSIM die automatische Netzwahl aus und wähle ein anderes Netz.',
      },
      speed_up: {
        title: 'Verbinde dich neu',
        text: 'Schalte den Flugmodus für zehn Sekunden ein und wieder aus. Immer noch langsam? Schalte in den Einstellungen der eSIM die automatische Netzwahl aus und wähle ein anderes Netz: Dieses ist vielleicht überlastet.',
      },
      ask: {
        title: 'Das müssen wir uns ansehen',
        text: 'Von hier aus sehen wir nicht, woran es liegt. Bitte um Hilfe und schreib uns, was passiert.',
      },
    },
    notSolved: 'Das hat nicht geholfen',
    otherProblem: 'Es ist etwas anderes',
    back: 'Zurück zu deiner eSIM',
    ask: {
      title: 'Um Hilfe bitten',
      text: 'Was wir über deine eSIM wissen, schicken wir mit. Du musst es nicht erklären.',
      email: 'Deine E-Mail-Adresse, für unsere Antwort (freiwillig)',
      message: 'Was passiert? (freiwillig)',
      send: 'Senden',
      invalidEmail: 'Diese E-Mail-Adresse ist nicht gültig.',
      tooLong: 'Das ist zu lang: höchstens {count} Zeichen.',
    },
    sent: {
      title: 'Deine Anfrage ist gesendet',
      text: 'Wenn du eine E-Mail-Adresse angegeben hast, kommt die Antwort dorthin.',
    },
    limit: {
      title: 'Du hast heute schon dreimal gefragt',
      text: 'Deine Anfragen sind angekommen. Morgen kannst du die nächste senden.',
    },
    sendAgain: 'Bitte sende es noch einmal.',
    replace: {
      title: 'Neue eSIM erhalten',
      text: 'Du kannst sofort und kostenlos eine neue eSIM bekommen. Diese hier funktioniert dann nicht mehr.',
      button: 'Neue eSIM holen',
    },
    replaced: {
      title: 'Deine neue eSIM ist bereit',
      text: 'Installiere sie von ihrer Seite aus, wie die erste. Die Adresse der Seite bleibt gleich.',
    },
    replaceRequested: {
      title: 'Deine neue eSIM ist angefordert',
      text: 'Sie erscheint auf der Seite deiner eSIM, sobald sie genehmigt ist.',
    },
    notReplaced: { title: 'Eine neue eSIM ist nicht möglich', text: 'Bitte um Hilfe, wir sehen es uns an.' },
    mail: { subject: 'Zu deiner eSIM', subjectOf: 'Zu deiner eSIM von {name}', page: 'Die Seite deiner eSIM:' },
  },
  missing: {
    title: 'Diese Seite ist nicht verfügbar',
    text: 'Der Link ist vielleicht unvollständig oder nicht mehr gültig. Bitte den Anbieter deiner eSIM um einen neuen.',
  },
  regions: { 'middle-east': 'Naher Osten', global: 'Weltweit' },
};
