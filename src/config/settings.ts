/** One setting as the operator sees it: the `config` command prints these rows. */
export type Setting = {
  name: string;
  meaning: string;
  fallback: string;
  example: string;
  /** Masked; in an address only the password is. */
  secret?: true | "in an address";
};

export const settings = [
  {
    name: "HUBBUB_BASE_URL",
    meaning: "Public address of the hub. It never changes after the first start.",
    fallback: "http://localhost:<port>",
    example: "https://hub.example",
  },
  { name: "HUBBUB_LISTEN", meaning: "Address to listen on.", fallback: "127.0.0.1", example: "0.0.0.0" },
  { name: "HUBBUB_PORT", meaning: "Port to listen on.", fallback: "8080", example: "8080" },
  {
    name: "HUBBUB_PROCESSES",
    meaning: "How many processes of `serve` answer at one port, each with jobs of its own.",
    fallback: "<one, or on PostgreSQL one for each core>",
    example: "4",
  },
  {
    name: "HUBBUB_DATA",
    meaning: "Folder of the embedded database, files and photos.",
    fallback: "./data",
    example: "/var/lib/hubbub",
  },
  {
    name: "HUBBUB_BLOBS_URL",
    meaning:
      "Where the bytes of files and photos are kept: directory (in the data folder), or s3://KEY:SECRET@BUCKET/PREFIX?endpoint=URL&region=REGION; keys=FILE reads KEY:SECRET from a file, style=host puts the bucket before the host.",
    fallback: "directory",
    example: "s3://my-bucket?endpoint=https://s3.example.net&region=eu-1&keys=/etc/hubbub/s3-keys",
    secret: true,
  },
  {
    name: "HUBBUB_BLOBS_FROM_URL",
    meaning: "Where they were kept before, in the same form, until `hubbub files move` has moved them; none: nowhere.",
    fallback: "none",
    example: "directory",
    secret: true,
  },
  {
    name: "HUBBUB_BLOBS_REDIRECT",
    meaning:
      "on: visitors get public files from S3 itself, by addresses that end after a minute; off: all through the hub.",
    fallback: "off",
    example: "on",
  },
  {
    name: "HUBBUB_DATABASE_URL",
    meaning: "Database: sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME.",
    fallback: "sqlite:<data>/hubbub.db",
    example: "postgres://hubbub@localhost/hubbub",
    secret: true,
  },
  {
    name: "HUBBUB_DATABASE_DIRECT_URL",
    meaning:
      "The same PostgreSQL past a pooler in transaction mode (PgBouncer) that HUBBUB_DATABASE_URL names; none: there is no pooler.",
    fallback: "none",
    example: "postgres://hubbub@localhost:5432/hubbub",
    secret: true,
  },
  {
    name: "HUBBUB_DATABASE_REPLICA_URL",
    meaning:
      "A streaming replica of that PostgreSQL, for what strangers read and may be a second old; none: everything is read from one server.",
    fallback: "none",
    example: "postgres://hubbub@replica.example.net/hubbub",
    secret: true,
  },
  {
    name: "HUBBUB_DATABASE_POOL",
    meaning: "Connections to PostgreSQL that each process has at most, besides two of its own.",
    fallback: "10",
    example: "20",
  },
  {
    name: "HUBBUB_DATABASE_TIMEOUT",
    meaning: "Seconds after which PostgreSQL ends a statement of the hub; 0: never.",
    fallback: "0",
    example: "30",
  },
  {
    name: "HUBBUB_DATABASE_SILENCE",
    meaning:
      "Seconds without an answer after which PostgreSQL is asked whether it is there; when it says nothing for as long again, the hub answers 503. 0: never.",
    fallback: "5",
    example: "3",
  },
  {
    name: "HUBBUB_DATABASE_KEEPALIVE",
    meaning: "Seconds of rest after which the system tries a connection to PostgreSQL (TCP keep-alive).",
    fallback: "60",
    example: "20",
  },
  {
    name: "HUBBUB_RATE_LIMITS",
    meaning: "off: no request limits and no log-in throttling (for tests only).",
    fallback: "on",
    example: "off",
  },
  {
    name: "HUBBUB_LINK_CARDS",
    meaning: "off: never ask the pages that public posts link to for their title and picture.",
    fallback: "on",
    example: "off",
  },
  {
    name: "HUBBUB_PUBLIC_DAYS",
    meaning:
      "How many days everybody here sees public posts of other hubs that came for somebody; 0: only who got them.",
    fallback: "30",
    example: "7",
  },
  {
    name: "HUBBUB_SMTP_URL",
    meaning: "Mail server through which the hub sends: smtp:// or smtps://USER:PASSWORD@HOST:PORT; none: no mail.",
    fallback: "none",
    example: "smtps://hub%40example.org:secret@mail.example.org",
    secret: true,
  },
  {
    name: "HUBBUB_MAIL_FROM",
    meaning: "Address that the mails of the hub come from.",
    fallback: "noreply@<host>",
    example: "hub@example.org",
  },
  {
    name: "HUBBUB_TRUST_PROXY",
    meaning: "on: believe X-Forwarded-For, -Proto and -Host, when a proxy of yours sets them.",
    fallback: "off",
    example: "on",
  },
  {
    name: "HUBBUB_ALIAS_FIELDS",
    meaning: "off: the microblog API leaves out the friendica_ names of its fields, which old clients need.",
    fallback: "on",
    example: "off",
  },
  {
    name: "HUBBUB_IMPORT_FROM",
    meaning:
      "Private hosts and networks that members may import from and send archives to, with commas between; none: only public ones.",
    fallback: "none",
    example: "192.168.7.0/24,old.home.arpa",
  },
  {
    name: "HUBBUB_ALLOW_PRIVATE",
    meaning:
      "on: ask other hubs in private networks and over http too (for tests; the hub itself must be at a private address).",
    fallback: "off",
    example: "on",
  },
  {
    name: "HUBBUB_BACKUP_TO",
    meaning:
      "Folder in which the hub makes backups by itself, or s3://BUCKET/PREFIX as in HUBBUB_BLOBS_URL; none: it makes none.",
    fallback: "none",
    example: "/backups",
    secret: "in an address",
  },
  { name: "HUBBUB_BACKUP_HOURS", meaning: "Hours between two of these backups.", fallback: "24", example: "6" },
  {
    name: "HUBBUB_BACKUP_KEY",
    meaning: "Public half of the key that seals all backups (age); none: they are not sealed.",
    fallback: "none",
    example: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
  },
  { name: "HUBBUB_LOG_LEVEL", meaning: "debug, info, warning, error or off.", fallback: "info", example: "warning" },
  { name: "HUBBUB_LOG_FORMAT", meaning: "text or json.", fallback: "text", example: "json" },
  {
    name: "HUBBUB_LOG_FILE",
    meaning: "File that the log goes to; none: standard error. Whoever moves it away gets a new one, without a signal.",
    fallback: "none",
    example: "/var/log/hubbub/hubbub.log",
  },
  {
    name: "HUBBUB_EXTENSIONS",
    meaning:
      "Packages, folders and modules that add commands, jobs, pages and themes, with commas between; none: nothing is added.",
    fallback: "none",
    example: "@me/on-this-day,/srv/hubbub/our-pages",
  },
  {
    name: "HUBBUB_SOURCE_URL",
    meaning: "Where the source of this program is offered, as its licence asks; none: the hub sends what it runs.",
    fallback: "none",
    example: "https://code.example/our-hubbub",
  },
  {
    name: "HUBBUB_SLOW_STATEMENT",
    meaning: "Milliseconds after which a statement on the database is written to the log; 0: never.",
    fallback: "500",
    example: "100",
  },
  {
    name: "HUBBUB_TRACES_URL",
    meaning:
      "Address to which traces of requests and jobs are sent (OpenTelemetry, OTLP over HTTP); none: none are made.",
    fallback: "none",
    example: "http://127.0.0.1:4318/v1/traces",
  },
  {
    name: "HUBBUB_TRACES_SHARE",
    meaning: "Of how many of a hundred requests and jobs traces are made.",
    fallback: "100",
    example: "5",
  },
  {
    name: "HUBBUB_METRICS_TOKEN",
    meaning: "Bearer token with which /metrics may be read, of at least 16 signs; none: with no token.",
    fallback: "none",
    example: "3f8e1c5a9b7d2046",
    secret: true,
  },
  {
    name: "HUBBUB_METRICS_FROM",
    meaning: "Addresses and networks from which /metrics may be read, with commas between; none: from nowhere.",
    fallback: "none",
    example: "127.0.0.1,::1,10.0.0.0/24",
  },
  { name: "HUBBUB_MAX_BODY", meaning: "Longest text of a post, in characters.", fallback: "200000", example: "50000" },
  {
    name: "HUBBUB_MAX_UPLOAD",
    meaning: "Largest uploaded file, in bytes.",
    fallback: "104857600",
    example: "20971520",
  },
  {
    name: "HUBBUB_MAX_IMAGE",
    meaning: "Largest uploaded image, in bytes.",
    fallback: "<upload>",
    example: "20971520",
  },
  {
    name: "HUBBUB_MAX_IMAGE_LENGTH",
    meaning: "Longest edge of stored images, in pixels; larger ones are reduced. 0: as they are.",
    fallback: "0",
    example: "4096",
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]["name"];
