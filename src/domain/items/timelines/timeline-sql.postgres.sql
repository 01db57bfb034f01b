-- What timeline-sql.test.ts finds; run it with -u to write it again. `(as at 1)` is the part that begins at `-- 1`.

-- The home timeline
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  select item.id as id
  from item
  where item.uid = (select $1::bigint)
    and item.item_normal = 1
    and item.item_notshown = 0
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- Older than an id, without answers
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  select item.id as id
  from item
  where item.uid = (select $1::bigint)
    and item.item_normal = 1
    and item.item_notshown = 0
    and item.item_thread_top = 1
    and item.id <= (select $2::bigint)
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- The home of applications
select item.id, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_thread_top, message.title,
    message.summary, message.html, message.app, message.lang, message.plink, message.attach,
    message.item_nsfw, message.shared_id, item.allow_cid, item.allow_gid, item.deny_cid,
    item.deny_gid, item.public_policy, message.mid, message.edited, message.revision,
    message.obj_type, message.item_consensus, message.item_nocomment, message.comments_closed,
    case when message.shared_id > 0 then message.body else '' end as body, case when message.obj_type in (
  'http://activitystrea.ms/schema/1.0/event', 'Question'
) then message.obj else '' end as obj, case when item.item_thread_top = 1 then item.item_direct when item.item_private = 0 then 0 else coalesce(
  (select t.item_direct from item t where t.id = item.parent), 0
) end as direct, case when item.uid = (select $1::bigint) then item.item_starred else coalesce(
  (
    select own.item_starred
    from item own
    where own.message_id = item.message_id
      and own.uid = (select $2::bigint)
  ), 0
) end as starred, case when case when item.uid = (select $3::bigint) then item.parent else coalesce(
  (
    select own.parent
    from item own
    where own.message_id = item.message_id
      and own.uid = (select $4::bigint)
  ), 0
) end in (
  select f.parent
  from item f
  where f.uid = (select $5::bigint)
    and f.author_id = (select $6::bigint)
    and f.item_normal = 0
    and f.item_hidden = 1
    and f.item_deleted = 0
    and (select w.verb from message w where w.id = f.message_id) = $7
) then 1 else 0 end as silenced, case when message.obj_type = 'Question' then (
  select v.choices
  from poll_vote v
  where v.message_id = item.message_id
    and v.xchan_id = (select $8::bigint)
) end as choices, case when exists (
  select 1
  from filter f
  where f.uid = (select $9::bigint)
    and f.ended = 0
) then 1 else 0 end as filters
from item
  inner join message on message.id = item.message_id
where item.id in (
  select item.id as id
  from item
  where item.uid = (select $10::bigint)
    and item.item_normal = 1
    and item.item_notshown = 0
    and case when (
      item.item_thread_top = 1
      or item.author_id = (select $11::bigint)
      or item.answers_me = 1
      or exists (
        select 1
        from xchan fx
          join abook f on f.abook_xchan = fx.xchan_hash
            and f.abook_channel = (select $12::bigint)
        where fx.xchan_id = item.author_id
          and f.follow_out = 'accepted'
          and f.abook_blocked = 0
          and f.abook_archived = 0
          and f.abook_pending = 0
        limit 1 offset 0
      )
    )
      and case item.item_thread_top when 1 then item.item_kept + item.item_direct else (
        select k.item_kept + k.item_direct
        from item k
        where k.id = item.parent
      ) end = 0
      and (
        item.item_thread_top = 0
        or not exists (
          select 1
          from message sm
          where sm.id = item.message_id
            and sm.shared_id > 0
            and (sm.shares_purely = 1 or sm.shares_purely = -1 and sm.body like '[share%[/share]')
            and exists (
              select 1
              from message om
                cross join item other
              where (
                om.id = sm.shared_id
                or (
                  om.shared_id = sm.shared_id
                  and om.shared_id > 0
                  and (om.shares_purely = 1 or om.shares_purely = -1 and om.body like '[share%[/share]')
                )
              )
                and other.message_id = om.id
                and other.uid = (select $13::bigint)
                and other.item_normal = 1
                and other.item_notshown = 0
                and case other.item_thread_top when 1 then other.item_kept + other.item_direct else (
                  select k.item_kept + k.item_direct
                  from item k
                  where k.id = other.parent
                ) end = 0
                and (
                  other.id < item.id
                  or other.id <= (
                    select max(id)
                    from (
                      select n.id
                      from item n
                      where n.uid = (select $14::bigint)
                        and n.item_normal = 1
                        and n.item_notshown = 0
                        and n.id > item.id
                      order by n.id asc
                      limit 40
                    ) as near
                  )
                )
                and case om.id when sm.shared_id then other.id >= (
                  select coalesce(min(id), 0)
                  from (
                    select n.id
                    from item n
                    where n.uid = (select $15::bigint)
                      and n.item_normal = 1
                      and n.item_notshown = 0
                      and n.id < item.id
                    order by n.id desc
                    limit 40
                  ) as near
                ) else other.id > item.id end
            )
          limit 1 offset 0
        )
      ) then true else false end
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- The home of applications of somebody with choices
select item.id, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_thread_top, message.title,
    message.summary, message.html, message.app, message.lang, message.plink, message.attach,
    message.item_nsfw, message.shared_id, item.allow_cid, item.allow_gid, item.deny_cid,
    item.deny_gid, item.public_policy, message.mid, message.edited, message.revision,
    message.obj_type, message.item_consensus, message.item_nocomment, message.comments_closed,
    case when message.shared_id > 0 then message.body else '' end as body, case when message.obj_type in (
  'http://activitystrea.ms/schema/1.0/event', 'Question'
) then message.obj else '' end as obj, case when item.item_thread_top = 1 then item.item_direct when item.item_private = 0 then 0 else coalesce(
  (select t.item_direct from item t where t.id = item.parent), 0
) end as direct, case when item.uid = (select $1::bigint) then item.item_starred else coalesce(
  (
    select own.item_starred
    from item own
    where own.message_id = item.message_id
      and own.uid = (select $2::bigint)
  ), 0
) end as starred, case when case when item.uid = (select $3::bigint) then item.parent else coalesce(
  (
    select own.parent
    from item own
    where own.message_id = item.message_id
      and own.uid = (select $4::bigint)
  ), 0
) end in (
  select f.parent
  from item f
  where f.uid = (select $5::bigint)
    and f.author_id = (select $6::bigint)
    and f.item_normal = 0
    and f.item_hidden = 1
    and f.item_deleted = 0
    and (select w.verb from message w where w.id = f.message_id) = $7
) then 1 else 0 end as silenced, case when message.obj_type = 'Question' then (
  select v.choices
  from poll_vote v
  where v.message_id = item.message_id
    and v.xchan_id = (select $8::bigint)
) end as choices, case when exists (
  select 1
  from filter f
  where f.uid = (select $9::bigint)
    and f.ended = 0
) then 1 else 0 end as filters
from item
  inner join message on message.id = item.message_id
where item.id in (
  with exclusive as materialized (
    select x.xchan_id as id
    from config c
      join pgrp g on g.uid = c.uid
        and g.hash = c.k
        and g.deleted = 0
      join pgrp_member m on m.gid = g.id
      join xchan x on x.xchan_hash = m.xchan
    where c.uid = (select $10::bigint)
      and c.cat = 'mastodon.exclusive'
      and m.xchan <> (
        select channel_hash
        from channel
        where channel_id = (select $11::bigint)
      )
  ), without_shares as materialized (
    select x.xchan_id as id
    from abconfig c
      join xchan x on x.xchan_hash = c.xchan
    where c.chan = (select $12::bigint)
      and c.cat = 'mastodon'
      and c.k = 'reblogs'
      and c.v = '0'
  ), with_languages as materialized (
    select x.xchan_id as id, ' ' || c.v || ' ' as words
    from abconfig c
      join xchan x on x.xchan_hash = c.xchan
    where c.chan = (select $13::bigint)
      and c.cat = 'mastodon'
      and c.k = 'languages'
  )
  select item.id as id
  from item
  where item.uid = (select $14::bigint)
    and item.item_normal = 1
    and item.item_notshown = 0
    and case when (
      item.item_thread_top = 1
      or item.author_id = (select $15::bigint)
      or item.answers_me = 1
      or exists (
        select 1
        from xchan fx
          join abook f on f.abook_xchan = fx.xchan_hash
            and f.abook_channel = (select $16::bigint)
        where fx.xchan_id = item.author_id
          and f.follow_out = 'accepted'
          and f.abook_blocked = 0
          and f.abook_archived = 0
          and f.abook_pending = 0
        limit 1 offset 0
      )
    )
      and case item.item_thread_top when 1 then item.item_kept + item.item_direct else (
        select k.item_kept + k.item_direct
        from item k
        where k.id = item.parent
      ) end = 0
      and item.author_id not in (select id from exclusive)
      and (
        item.author_id not in (select id from without_shares)
        or not exists (
          select 1
          from message rm
          where rm.id = item.message_id
            and rm.shared_id > 0
            and (rm.shares_purely = 1 or rm.shares_purely = -1 and rm.body like '[share%[/share]')
          limit 1 offset 0
        )
      )
      and not exists (
        select 1
        from with_languages wl
          join message lm on lm.id = item.message_id
        where wl.id = item.author_id
          and lm.lang <> ''
          and wl.words not like '% ' || lm.lang || ' %'
        limit 1 offset 0
      )
      and (
        item.item_thread_top = 0
        or not exists (
          select 1
          from message sm
          where sm.id = item.message_id
            and sm.shared_id > 0
            and (sm.shares_purely = 1 or sm.shares_purely = -1 and sm.body like '[share%[/share]')
            and exists (
              select 1
              from message om
                cross join item other
              where (
                om.id = sm.shared_id
                or (
                  om.shared_id = sm.shared_id
                  and om.shared_id > 0
                  and (om.shares_purely = 1 or om.shares_purely = -1 and om.body like '[share%[/share]')
                )
              )
                and other.message_id = om.id
                and other.uid = (select $17::bigint)
                and other.item_normal = 1
                and other.item_notshown = 0
                and case other.item_thread_top when 1 then other.item_kept + other.item_direct else (
                  select k.item_kept + k.item_direct
                  from item k
                  where k.id = other.parent
                ) end = 0
                and other.author_id not in (select id from exclusive)
                and (
                  other.id < item.id
                  or other.id <= (
                    select max(id)
                    from (
                      select n.id
                      from item n
                      where n.uid = (select $18::bigint)
                        and n.item_normal = 1
                        and n.item_notshown = 0
                        and n.id > item.id
                      order by n.id asc
                      limit 40
                    ) as near
                  )
                )
                and case om.id when sm.shared_id then other.id >= (
                  select coalesce(min(id), 0)
                  from (
                    select n.id
                    from item n
                    where n.uid = (select $19::bigint)
                      and n.item_normal = 1
                      and n.item_notshown = 0
                      and n.id < item.id
                    order by n.id desc
                    limit 40
                  ) as near
                ) else other.id > item.id
                  and other.author_id not in (select id from without_shares) end
            )
          limit 1 offset 0
        )
      ) then true else false end
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- The home timeline of somebody who hides words and people
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  with unwanted as materialized ( -- 1
    select x.xchan_id as id
    from abook a
      join xchan x on x.xchan_hash = a.abook_xchan
    where a.abook_channel = (select $1::bigint)
      and (a.abook_blocked = 1 or a.abook_ignored = 1 or a.abook_shut_out = 1)
    union all
    select ha.xchan_id as id
    from host_block hb
      join actor ha on ha.host = hb.host
    where hb.uid = (select $2::bigint)
    union all
    select ha.xchan_id as id
    from host_block hb
      join actor ha on ha.host > hb.host || ':'
        and ha.host < hb.host || ';'
    where hb.uid = (select $3::bigint)
  )
  select item.id as id
  from item
  where item.uid = (select $4::bigint)
    and item.item_normal = 1
    and item.item_notshown = 0
    and case when item.author_id not in (select id from unwanted)
      and item.owner_id not in (select id from unwanted)
      and ( -- 2
        not exists (
          select 1
          from filter f
          where f.uid = (select $5::bigint)
            and f.action = 'hide'
            and f.ended = 0
            and f.at_home = 1
        )
        or item.author_id = (select $6::bigint)
        or not (
          exists (
            select 1
            from filter f
              join word_filter wf on wf.filter_id = f.id, ( -- 3
                select id, lower(whole collate "und-x-icu") as flat, (
                  ' ' || trim(regexp_replace(lower(whole collate "und-x-icu"), '[^[:alnum:]]+', ' ', 'g')) || ' '
                ) as spaced
                from (
                  select wm.id, (
                    wm.title || ' ' || wm.summary || ' ' || wm.plain || case wm.obj_type when 'Question' then coalesce(
                      ' ' || (
                        select string_agg(o.name[1], ' ')
                        from regexp_matches(wm.obj, '"name"\s*:\s*"((?:[^"\\]|\\.)*)"', 'g') o(name)
                      ), ''
                    ) else '' end
                  ) as whole
                  from message wm
                  where wm.id = item.message_id
                  limit 100000
                ) as wm
              ) wt
            where f.uid = (select $7::bigint)
              and f.action = 'hide'
              and f.ended = 0
              and f.at_home = 1
              and case wf.whole_words when 1 then strpos(wt.spaced, (wf.needle collate C)) > 0 else strpos(
                wt.flat, (wf.needle collate C)
              ) > 0 end
          )
          or exists (
            select 1
            from filter f
              join filter_status fs on fs.filter_id = f.id
            where f.uid = (select $8::bigint)
              and f.action = 'hide'
              and f.ended = 0
              and f.at_home = 1
              and fs.message_id = item.message_id
          )
        )
      ) then true else false end
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- Mentions
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  select item.id as id
  from item
  where item.uid = (select $1::bigint)
    and item.item_normal = 1
    and item.item_notshown = 0
    and (item.item_mentionsme = 1 or item.answers_me = 1)
    and case when item.author_id <> (select $2::bigint)
      and item.parent not in (
        select f.parent
        from item f
        where f.uid = (select $3::bigint)
          and f.author_id = (select $4::bigint)
          and f.item_normal = 0
          and f.item_hidden = 1
          and f.item_deleted = 0
          and (select w.verb from message w where w.id = f.message_id) = $5
      ) then true else false end
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- Favorites
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  select item.id as id
  from item
  where item.uid = (select $1::bigint)
    and item.item_normal = 1
    and item.item_notshown = 0
    and item.item_starred = 1
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- What is public here
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  select item.id as id
  from item
  where item.item_wall = 1
    and item.item_normal = 1
    and item.item_notshown = 0
    and item.item_private = 0
    and item.item_origin = 1
    and case when item.item_origin = 1
      and (
        select a.xchan_hidden + a.xchan_censored
        from xchan a
        where a.xchan_id = item.author_id
      ) = 0
      and not exists (
        select 1
        from iconfig u
        where u.message_id = item.message_id
          and u.uid = 0
          and u.cat = 'federation'
          and u.k = 'unlisted'
          and u.v = '1'
      )
      and (
        item.item_uplink = 0
        or not exists (
          select 1
          from item first
          where first.message_id = item.message_id
            and first.item_wall = 1
            and first.id < item.id
            and first.item_normal = 1
          limit 1 offset 0
        )
      )
      and ( -- 4
        item.uid = (select $1::bigint)
        or ( -- 5
          item.item_normal = 1
          and item.item_private = 0
          and exists ( -- 6
            select 1
            from channel pc
              left join config pl on pl.uid = pc.channel_id
                and pl.cat = 'perm_limits'
                and pl.k = 'view_stream'
              left join abook pa on pa.abook_channel = pc.channel_id
                and pa.abook_xchan = $2
            where pc.channel_id = item.uid
              and pc.channel_removed = 0
              and coalesce(pa.abook_blocked, 0) = 0
              and 1 = 1
              and case when pc.channel_hash = $3 then 1 = 1 else 1 = 1
                and (
                  pl.v in ('1', '256', '2', '4')
                  or (pl.v = '512' and pa.abook_unconnected = 0)
                  or (pl.v = '8' and pa.abook_pending = 0 and pa.abook_unconnected = 0)
                  or (
                    pl.v = '128'
                    and coalesce(pa.abook_pending, 0) = 0
                    and exists (
                      select 1
                      from abconfig pg
                      where pg.chan = pc.channel_id
                        and pg.xchan = $4
                        and pg.cat = 'my_perms'
                        and pg.k = 'view_stream'
                        and pg.v = '1'
                    )
                  )
                ) end
            limit 1 offset 0
          )
        )
      ) then true else false end
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- What is public anywhere
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  with found0 as materialized (
    select item.id as id
    from item
    where item.uid = (select $1::bigint)
      and item.item_normal = 1
      and item.item_notshown = 0
      and case when item.item_private = 0
        and not exists (
          select 1
          from iconfig u
          where u.message_id = item.message_id
            and u.uid = 0
            and u.cat = 'federation'
            and u.k = 'unlisted'
            and u.v = '1'
        ) then true else false end
    order by item.id desc
    limit 20::bigint
  ), found1 as materialized (
    select id
    from (
      select id
      from found0
      union all
      select id
      from (
        select item.id as id
        from item
        where item.id > (select case when count(*) < 20 then 0 else min(id) end from found0)
          and item.item_wall = 1
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.item_private = 0
          and item.item_origin = 1
          and case when not exists (
            select 1
            from iconfig u
            where u.message_id = item.message_id
              and u.uid = 0
              and u.cat = 'federation'
              and u.k = 'unlisted'
              and u.v = '1'
          )
            and (
              select a.xchan_censored
              from xchan a
              where a.xchan_id = item.author_id
            ) = 0
            and not exists (
              select 1
              from item mine
              where mine.message_id = item.message_id
                and mine.uid = (select $2::bigint)
                and mine.item_normal = 1
              limit 1 offset 0
            )
            and (
              item.item_uplink = 0
              or not exists (
                select 1
                from item first
                where first.message_id = item.message_id
                  and first.item_wall = 1
                  and first.id < item.id
                  and first.item_normal = 1
                limit 1 offset 0
              )
            )
            and (as at 4) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as more
    ) as found
    order by id desc
    limit 20::bigint
  ), found2 as materialized (
    select id
    from (
      select id
      from found1
      union all
      select id
      from (
        select item.id as id
        from item
        where item.id > (select case when count(*) < 20 then 0 else min(id) end from found1)
          and item.item_wall = 1
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.item_private = 0
          and item.item_origin = 0
          and case when not exists (
            select 1
            from iconfig u
            where u.message_id = item.message_id
              and u.uid = 0
              and u.cat = 'federation'
              and u.k = 'unlisted'
              and u.v = '1'
          )
            and (
              select a.xchan_censored
              from xchan a
              where a.xchan_id = item.author_id
            ) = 0
            and not exists (
              select 1
              from item mine
              where mine.message_id = item.message_id
                and mine.uid = (select $7::bigint)
                and mine.item_normal = 1
              limit 1 offset 0
            )
            and (
              item.item_uplink = 0
              or not exists (
                select 1
                from item first
                where first.message_id = item.message_id
                  and first.item_wall = 1
                  and first.id < item.id
                  and first.item_normal = 1
                limit 1 offset 0
              )
            )
            and (as at 4) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as more
    ) as found
    order by id desc
    limit 20::bigint
  ), found3 as materialized (
    select id
    from (
      select id
      from found2
      union all
      select id
      from (
        select item.id as id
        from item
        where item.id > (select case when count(*) < 20 then 0 else min(id) end from found2)
          and item.uid = (
            select site.channel_id
            from channel site
            where site.channel_address = 'instance.actor'
          )
          and item.item_normal = 1
          and item.item_notshown = 0
          and case when not exists (
            select 1
            from iconfig u
            where u.message_id = item.message_id
              and u.uid = 0
              and u.cat = 'federation'
              and u.k = 'unlisted'
              and u.v = '1'
          )
            and (
              select a.xchan_censored
              from xchan a
              where a.xchan_id = item.author_id
            ) = 0
            and not exists (
              select 1
              from item mine
              where mine.message_id = item.message_id
                and mine.uid = (select $12::bigint)
                and mine.item_normal = 1
              limit 1 offset 0
            )
            and not exists (
              select 1
              from item forum
              where forum.message_id = item.message_id
                and forum.item_uplink = 1
                and forum.item_wall = 1
                and forum.item_normal = 1
              limit 1 offset 0
            )
            and (as at 4) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as more
    ) as found
    order by id desc
    limit 20::bigint
  )
  select id
  from found3
  order by id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- What somebody wrote
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  with found0 as materialized (
    select item.id as id
    from item
    where item.uid = $1
      and item.item_normal = 1
      and item.item_notshown = 0
      and item.author_id = $2
      and item.item_thread_top = 1
      and item.id <= $3
    order by item.id desc
    limit 20::bigint
  ), found1 as materialized (
    select id
    from (
      select id
      from found0
      union all
      select id
      from (
        select item.id as id
        from item
        where item.id > (select case when count(*) < 20 then 0 else min(id) end from found0)
          and item.uid = $4
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.author_id = $5
          and item.item_thread_top = 0
          and item.id <= $6
        order by item.id desc
        limit 20::bigint
      ) as more
    ) as found
    order by id desc
    limit 20::bigint
  ), found2 as materialized (
    select id
    from (
      select id
      from found1
      union all
      select id
      from (
        select item.id as id
        from item
        where item.id >= (
          select min(id)
          from (
            select item.id
            from item
            where item.item_wall = 1
              and item.item_normal = 1
              and item.item_notshown = 0
              and item.author_id = $7
              and item.item_private = 0
              and item.id <= $8
            order by item.id desc
            limit 20::bigint + 2000
          ) as newest
        )
          and item.id > (select case when count(*) < 20 then 0 else min(id) end from found1)
          and item.item_wall = 1
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.author_id = $9
          and item.item_private = 0
          and item.id <= $10
          and case when not exists (
            select 1
            from item mine
            where mine.message_id = item.message_id
              and mine.uid = $11
              and mine.item_normal = 1
            limit 1 offset 0
          )
            and (
              item.item_uplink = 0
              or not exists (
                select 1
                from item first
                where first.message_id = item.message_id
                  and first.item_wall = 1
                  and first.id < item.id
                  and first.item_normal = 1
                limit 1 offset 0
              )
            )
            and ( -- 7
              item.uid = $12
              or (as at 5)
            ) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as more
    ) as found
    order by id desc
    limit 20::bigint
  ), found3 as materialized (
    select id
    from (
      select id
      from found2
      union all
      select id
      from (
        select item.id as id
        from item
        where item.id >= (
          select min(id)
          from (
            select item.id
            from item
            where item.item_wall = 1
              and item.item_normal = 1
              and item.item_notshown = 0
              and item.author_id = $16
              and item.item_private = 1
              and item.id <= $17
            order by item.id desc
            limit 20::bigint + 2000
          ) as newest
        )
          and item.id > (select case when count(*) < 20 then 0 else min(id) end from found2)
          and item.item_wall = 1
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.author_id = $18
          and item.item_private = 1
          and item.id <= $19
          and case when not exists (
            select 1
            from item mine
            where mine.message_id = item.message_id
              and mine.uid = $20
              and mine.item_normal = 1
            limit 1 offset 0
          )
            and (
              item.item_uplink = 0
              or not exists (
                select 1
                from item first
                where first.message_id = item.message_id
                  and first.item_wall = 1
                  and first.id < item.id
                  and first.item_normal = 1
                limit 1 offset 0
              )
            )
            and (
              item.uid = $21
              or ( -- 8
                item.item_normal = 1
                and (
                  item.item_private = 0
                  or (
                    item.item_wall = 1
                    and not (
                      strpos(item.deny_cid, '<' || $22 || '>') > 0
                      or (
                        item.deny_gid <> ''
                        and (
                          exists (
                            select 1
                            from pgrp_member vm
                              join pgrp vg on vg.id = vm.gid
                                and vg.deleted = 0
                            where vm.uid = item.uid
                              and vm.xchan = $23
                              and strpos(item.deny_gid, '<' || vg.hash || '>') > 0
                          )
                          or exists (
                            select 1
                            from abook vp
                            where vp.abook_channel = item.uid
                              and vp.abook_xchan = $24
                              and vp.abook_pending = 0
                              and vp.abook_unconnected = 0
                              and vp.abook_self = 0
                              and vp.abook_profile <> ''
                              and strpos(item.deny_gid, '<vp.' || vp.abook_profile || '>') > 0
                          )
                        )
                      )
                    )
                    and (
                      (
                        strpos(item.allow_cid, '<' || $25 || '>') > 0
                        or (
                          item.allow_gid <> ''
                          and (
                            exists (
                              select 1
                              from pgrp_member vm
                                join pgrp vg on vg.id = vm.gid
                                  and vg.deleted = 0
                              where vm.uid = item.uid
                                and vm.xchan = $26
                                and strpos(item.allow_gid, '<' || vg.hash || '>') > 0
                            )
                            or exists (
                              select 1
                              from abook vp
                              where vp.abook_channel = item.uid
                                and vp.abook_xchan = $27
                                and vp.abook_pending = 0
                                and vp.abook_unconnected = 0
                                and vp.abook_self = 0
                                and vp.abook_profile <> ''
                                and strpos(item.allow_gid, '<vp.' || vp.abook_profile || '>') > 0
                            )
                          )
                        )
                      )
                      or (
                        item.allow_cid = ''
                        and item.allow_gid = ''
                        and (
                          exists (
                            select 1
                            from abook vc
                            where vc.abook_channel = item.uid
                              and vc.abook_xchan = $28
                              and vc.abook_unconnected = 0
                              and vc.abook_self = 0
                              and vc.abook_pending = 0
                          )
                          and (item.deny_cid <> '' or item.deny_gid <> '')
                          or item.deny_cid = ''
                          and item.deny_gid = ''
                          and (
                            item.public_policy in ($29, $30, $31)
                            or (
                              item.public_policy in ('contacts', 'specific')
                              and exists (
                                select 1
                                from abook vc
                                where vc.abook_channel = item.uid
                                  and vc.abook_xchan = $32
                                  and vc.abook_unconnected = 0
                                  and vc.abook_self = 0
                                  and vc.abook_pending = 0
                              )
                            )
                            or (
                              item.public_policy = 'any connections'
                              and exists (
                                select 1
                                from abook vc
                                where vc.abook_channel = item.uid
                                  and vc.abook_xchan = $33
                                  and vc.abook_unconnected = 0
                                  and vc.abook_self = 0
                              )
                            )
                          )
                        )
                      )
                    )
                  )
                )
                and exists (as at 6)
              )
            ) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as more
    ) as found
    order by id desc
    limit 20::bigint
  ), found4 as materialized (
    select id
    from (
      select id
      from found3
      union all
      select id
      from (
        select item.id as id
        from item
        where item.id > (select case when count(*) < 20 then 0 else min(id) end from found3)
          and item.uid = (
            select site.channel_id
            from channel site
            where site.channel_address = 'instance.actor'
          )
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.author_id = $37
          and item.item_thread_top = 1
          and item.id <= $38
          and case when not exists (
            select 1
            from item mine
            where mine.message_id = item.message_id
              and mine.uid = $39
              and mine.item_normal = 1
            limit 1 offset 0
          )
            and not exists (
              select 1
              from item forum
              where forum.message_id = item.message_id
                and forum.item_uplink = 1
                and forum.item_wall = 1
                and forum.item_normal = 1
              limit 1 offset 0
            )
            and (as at 7) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as more
    ) as found
    order by id desc
    limit 20::bigint
  ), found5 as materialized (
    select id
    from (
      select id
      from found4
      union all
      select id
      from (
        select item.id as id
        from item
        where item.id > (select case when count(*) < 20 then 0 else min(id) end from found4)
          and item.uid = (
            select site.channel_id
            from channel site
            where site.channel_address = 'instance.actor'
          )
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.author_id = $44
          and item.item_thread_top = 0
          and item.id <= $45
          and case when not exists (
            select 1
            from item mine
            where mine.message_id = item.message_id
              and mine.uid = $46
              and mine.item_normal = 1
            limit 1 offset 0
          )
            and not exists (
              select 1
              from item forum
              where forum.message_id = item.message_id
                and forum.item_uplink = 1
                and forum.item_wall = 1
                and forum.item_normal = 1
              limit 1 offset 0
            )
            and (as at 7) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as more
    ) as found
    order by id desc
    limit 20::bigint
  )
  select id
  from found5
  order by id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- One thread
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  select item.id as id
  from item
  where item.parent in (
    select t.id
    from item t
    where (t.uid = (select $1::bigint) or t.item_wall = 1)
      and t.message_id = (select n.message_id from item n where n.id = $2)
  )
    and item.item_normal = 1
    and case when item.item_notshown = 0
      and (item.uid = (select $3::bigint)) then true else false end
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- Own statuses that others shared
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  select item.id as id
  from item
  where item.uid = (select $1::bigint)
    and item.item_normal = 1
    and item.item_notshown = 0
    and item.reshared = 1
    and case when item.author_id = (select $2::bigint)
      and exists (
        select 1
        from message s
          left join item i on i.message_id = s.id
            and i.item_wall = 1
            and i.item_normal = 1
        where s.shared_id = item.message_id
          and s.shared_id > 0
          and (s.shares_purely = 1 or s.shares_purely = -1 and s.body like '[share%[/share]')
          and s.author_id <> (select $3::bigint)
          and case when i.id is not null then i.item_private = 0 else (
            exists (
              select 1
              from actor
                join xchan on xchan.xchan_id = actor.xchan_id
              where actor.xchan_id = s.author_id
                and xchan.xchan_deleted = 0
              limit 1 offset 0
            )
            and coalesce((select copy.item_private from item copy where copy.message_id = s.id limit 1), 0) = 0
          ) end
        limit 1 offset 0
      ) then true else false end
  order by item.id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- What the members of a group wrote
select item.id, item.uid, item.parent, item.thr_parent_id, item.message_id, item.author_id,
    item.owner_id, item.created, item.item_private, item.item_starred, item.item_thread_top,
    item.item_unseen, message.title, message.summary, message.body, message.html,
    message.plain, message.mimetype, message.app, message.lang, message.plink, message.attach,
    message.location, message.coord, message.item_nsfw, message.item_rss, message.shared_id
from item
  inner join message on message.id = item.message_id
where item.id in (
  with unwanted as materialized (as at 1), people as materialized (
    select m.xchan_id as author
    from (
      select x.xchan_id
      from pgrp_member g
        join xchan x on x.xchan_hash = g.xchan
      where g.gid = $4
        and g.uid = (select $5::bigint)
    ) m
    where m.xchan_id not in (select id from unwanted)
  ), own_newest as materialized (
    select shelf.author, shelf.kind, (
      select item.id
      from item
      where item.uid = (select $6::bigint)
        and item.author_id = shelf.author
        and item.item_thread_top = shelf.kind
        and item.item_normal = 1
        and item.item_notshown = 0
        and case when item.author_id not in (select id from unwanted)
          and item.owner_id not in (select id from unwanted)
          and (as at 2) then true else false end
      order by item.id desc
      limit 1
    ) as newest
    from (
      select people.author, kinds.kind
      from people
        cross join (select 1 as kind union all select 0 as kind) as kinds
    ) as shelf
  ), own_active as materialized (
    select shelf.author, shelf.kind, coalesce(
      (
        select item.id
        from item
        where item.uid = (select $11::bigint)
          and item.author_id = shelf.author
          and item.item_thread_top = shelf.kind
          and item.item_normal = 1
          and item.item_notshown = 0
          and case when item.author_id not in (select id from unwanted)
            and item.owner_id not in (select id from unwanted)
            and (as at 2) then true else false end
        order by item.id desc
        limit 1 offset 20::bigint - 1
      ), 0
    ) as nth
    from own_newest shelf
    where shelf.newest >= (
      select coalesce(
        (
          select newest
          from own_newest
          where newest is not null
          order by newest desc
          limit 1 offset 20::bigint - 1
        ), 0
      )
    )
  ), own_oldest_of_each as materialized (
    select max(id) as id
    from (
      select coalesce(max(nth), 0) as id
      from own_active
      union all
      select (
        select coalesce(
          (
            select newest
            from own_newest
            where newest is not null
            order by newest desc
            limit 1 offset 20::bigint - 1
          ), 0
        )
      )
    ) as ends
  ), own_found as materialized (
    select page.id
    from own_active shelf
      cross join lateral (
        select item.id
        from item
        where item.uid = (select $16::bigint)
          and item.author_id = shelf.author
          and item.item_thread_top = shelf.kind
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.id >= (select id from own_oldest_of_each)
          and case when item.author_id not in (select id from unwanted)
            and item.owner_id not in (select id from unwanted)
            and (as at 2) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as page
    order by page.id desc
    limit 20::bigint
  ), own_oldest as materialized (
    select (
      select case when count(*) < 20 then 0 else min(id) end
      from own_found
    ) as id
  ), walls_newest as materialized (
    select shelf.author, shelf.kind, (
      select item.id
      from item
      where item.id >= (
        select min(id)
        from (
          select item.id
          from item
          where item.author_id = shelf.author
            and item.item_private = shelf.kind
            and item.item_wall = 1
            and item.item_normal = 1
            and item.item_notshown = 0
          order by item.id desc
          limit 20::bigint + 100
        ) as newest
      )
        and item.id > (select id from own_oldest)
        and item.author_id = shelf.author
        and item.item_private = shelf.kind
        and item.item_wall = 1
        and item.item_normal = 1
        and item.item_notshown = 0
        and case when item.author_id not in (select id from unwanted)
          and item.owner_id not in (select id from unwanted)
          and (as at 2)
          and not exists (
            select 1
            from item mine
            where mine.message_id = item.message_id
              and mine.uid = (select $25::bigint)
              and mine.item_normal = 1
            limit 1 offset 0
          )
          and (
            item.item_uplink = 0
            or not exists (
              select 1
              from item first
              where first.message_id = item.message_id
                and first.item_wall = 1
                and first.id < item.id
                and first.item_normal = 1
              limit 1 offset 0
            )
          )
          and ( -- 9
            item.uid = (select $26::bigint)
            or (as at 8)
          ) then true else false end
      order by item.id desc
      limit 1
    ) as newest
    from (
      select people.author, kinds.kind
      from people
        cross join (select 0 as kind union all select 1 as kind) as kinds
    ) as shelf
  ), walls_active as materialized (
    select shelf.author, shelf.kind, coalesce(
      (
        select item.id
        from item
        where item.id >= (
          select min(id)
          from (
            select item.id
            from item
            where item.author_id = shelf.author
              and item.item_private = shelf.kind
              and item.item_wall = 1
              and item.item_normal = 1
              and item.item_notshown = 0
            order by item.id desc
            limit 20::bigint + 100
          ) as newest
        )
          and item.id > (select id from own_oldest)
          and item.author_id = shelf.author
          and item.item_private = shelf.kind
          and item.item_wall = 1
          and item.item_normal = 1
          and item.item_notshown = 0
          and case when item.author_id not in (select id from unwanted)
            and item.owner_id not in (select id from unwanted)
            and (as at 2)
            and not exists (
              select 1
              from item mine
              where mine.message_id = item.message_id
                and mine.uid = (select $46::bigint)
                and mine.item_normal = 1
              limit 1 offset 0
            )
            and (
              item.item_uplink = 0
              or not exists (
                select 1
                from item first
                where first.message_id = item.message_id
                  and first.item_wall = 1
                  and first.id < item.id
                  and first.item_normal = 1
                limit 1 offset 0
              )
            )
            and (as at 9) then true else false end
        order by item.id desc
        limit 1 offset 20::bigint - 1
      ), 0
    ) as nth
    from walls_newest shelf
    where shelf.newest >= (
      select coalesce(
        (
          select newest
          from walls_newest
          where newest is not null
          order by newest desc
          limit 1 offset 20::bigint - 1
        ), 0
      )
    )
  ), walls_oldest_of_each as materialized (
    select max(id) as id
    from (
      select coalesce(max(nth), 0) as id
      from walls_active
      union all
      select (
        select coalesce(
          (
            select newest
            from walls_newest
            where newest is not null
            order by newest desc
            limit 1 offset 20::bigint - 1
          ), 0
        )
      )
    ) as ends
  ), walls_found as materialized (
    select page.id
    from walls_active shelf
      cross join lateral (
        select item.id
        from item
        where item.id >= (
          select min(id)
          from (
            select item.id
            from item
            where item.author_id = shelf.author
              and item.item_private = shelf.kind
              and item.item_wall = 1
              and item.item_normal = 1
              and item.item_notshown = 0
              and item.id >= (select id from walls_oldest_of_each)
            order by item.id desc
            limit 20::bigint + 100
          ) as newest
        )
          and item.id > (select id from own_oldest)
          and item.author_id = shelf.author
          and item.item_private = shelf.kind
          and item.item_wall = 1
          and item.item_normal = 1
          and item.item_notshown = 0
          and item.id >= (select id from walls_oldest_of_each)
          and case when item.author_id not in (select id from unwanted)
            and item.owner_id not in (select id from unwanted)
            and (as at 2)
            and not exists (
              select 1
              from item mine
              where mine.message_id = item.message_id
                and mine.uid = (select $67::bigint)
                and mine.item_normal = 1
              limit 1 offset 0
            )
            and (
              item.item_uplink = 0
              or not exists (
                select 1
                from item first
                where first.message_id = item.message_id
                  and first.item_wall = 1
                  and first.id < item.id
                  and first.item_normal = 1
                limit 1 offset 0
              )
            )
            and (as at 9) then true else false end
        order by item.id desc
        limit 20::bigint
      ) as page
    order by page.id desc
    limit 20::bigint
  )
  select id
  from (select id from own_found union all select id from walls_found) as found
  order by id desc
  limit 20::bigint offset 0::bigint
)
order by item.id desc;

-- What stands around statuses
with blocked as materialized ( -- 10
  select x.xchan_id as id
  from abook a
    join xchan x on x.xchan_hash = a.abook_xchan
  where a.abook_channel = $1
    and (
      (a.abook_blocked = 1 or a.abook_ignored = 1 or a.abook_shut_out = 1)
      and (a.abook_blocked = 1 or a.abook_shut_out = 1)
    )
  union all
  select ha.xchan_id as id
  from host_block hb
    join actor ha on ha.host = hb.host
  where hb.uid = $2
    and hb.kind = 'block'
  union all
  select ha.xchan_id as id
  from host_block hb
    join actor ha on ha.host > hb.host || ':'
      and ha.host < hb.host || ';'
  where hb.uid = $3
    and hb.kind = 'block'
)
select 2 as kind, id as about, author_id as person, '' as text, '' as moment, 0 as number
from item
where id = any((select $4::bigint[])::bigint[])
  and item_normal = 1
union all
select 3 as kind, asked.id as about, 0 as person, '' as text, '' as moment, (
  select count(*)
  from (
    (
      select 1 as one
      from item
      where parent = asked.id
        and item_normal = 1
        and item_notshown = 0
        and item_thread_top = 0
        and author_id not in (select id from blocked)
      limit 5000
    )
  ) as counted
) as number
from (select unnest((select $5::bigint[])) as id) as asked
union all
select 1 as kind, found.thr_parent_id as about, found.author_id as person, message.verb as text,
    found.created as moment, found.id as number
from (select unnest((select $6::bigint[])) as id) as asked
  cross join lateral (
    select one.*
    from item one
    where one.thr_parent_id = asked.id
      and one.item_normal = 1
      and one.item_notshown = 1
      and one.author_id <> $7
    order by one.author_id
    limit 500
  ) as found
  join message on message.id = found.message_id
where found.author_id not in (select id from blocked)
union all
select 1 as kind, found.thr_parent_id as about, found.author_id as person, message.verb as text,
    found.created as moment, found.id as number
from (select unnest((select $8::bigint[])) as id) as asked
  join item found on found.thr_parent_id = asked.id
    and found.item_normal = 1
    and found.item_notshown = 1
    and found.author_id = $9
  join message on message.id = found.message_id
where found.author_id not in (select id from blocked)
union all
select 4 as kind, found.shared_id as about, found.author_id as person, '' as text,
    '' as moment, found.id as number
from (select unnest((select $10::bigint[])) as id) as asked
  cross join lateral (
    select one.*
    from message one
    where one.shared_id = asked.id
      and one.shared_id > 0
      and one.author_id <> $11
    order by one.author_id
    limit 500
  ) as found
  left join item on item.message_id = found.id
    and item.item_wall = 1
    and item.item_normal = 1
where case when item.id is not null then (
  found.shares_purely = 1 or found.shares_purely = -1 and found.body like '[share%[/share]'
)
    and (item.item_private = 0 or item.author_id = $12) else (
      found.shares_purely = 1 or found.shares_purely = -1 and found.body like '[share%[/share]'
    )
    and (
      exists (
        select 1
        from actor
          join xchan on xchan.xchan_id = actor.xchan_id
        where actor.xchan_id = found.author_id
          and xchan.xchan_deleted = 0
        limit 1 offset 0
      )
      and coalesce((select copy.item_private from item copy where copy.message_id = found.id limit 1), 0) = 0
    ) end
union all
select 4 as kind, found.shared_id as about, found.author_id as person, '' as text,
    '' as moment, found.id as number
from (select unnest((select $13::bigint[])) as id) as asked
  join message found on found.shared_id = asked.id
    and found.shared_id > 0
    and found.author_id = $14
  left join item on item.message_id = found.id
    and item.item_wall = 1
    and item.item_normal = 1
where case when item.id is not null then (
  found.shares_purely = 1 or found.shares_purely = -1 and found.body like '[share%[/share]'
)
    and (item.item_private = 0 or item.author_id = $15) else (
      found.shares_purely = 1 or found.shares_purely = -1 and found.body like '[share%[/share]'
    )
    and (
      exists (
        select 1
        from actor
          join xchan on xchan.xchan_id = actor.xchan_id
        where actor.xchan_id = found.author_id
          and xchan.xchan_deleted = 0
        limit 1 offset 0
      )
      and coalesce((select copy.item_private from item copy where copy.message_id = found.id limit 1), 0) = 0
    ) end;

-- The stream of the native API
select item.id, item.uid, item.message_id, item.parent, item.author_id, item.owner_id,
    item.source_id, item.created, item.commented, item.public_policy, item.comment_policy,
    item.route, item.item_private, item.item_unseen, item.item_starred, item.item_mentionsme,
    item.item_deleted, item.item_hidden, item.item_notshown, item.item_thread_top,
    message.mid, message.parent_mid, message.thr_parent, message.edited, message.expires,
    message.comments_closed, message.mimetype, message.title, message.summary, message.body,
    message.app, message.verb, message.obj_type, message.obj, message.tgt_type, message.target,
    message.plink, message.resource_id, message.resource_type, message.attach, message.sig,
    message.fed_meta, message.location, message.coord, message.item_consensus, message.item_nocomment,
    message.item_nsfw
from item
  inner join message on message.id = item.message_id
where item.item_thread_top = 1
  and item.uid = $1
  and item.item_normal = 1
  and message.verb not in ($2, $3)
  and (
    not exists (
      select 1
      from filter f
      where f.uid = $4
        and f.action = 'hide'
        and f.ended = 0
        and f.at_home = 1
    )
    or item.author_id = $5
    or not (
      exists (
        select 1
        from filter f
          join word_filter wf on wf.filter_id = f.id, (as at 3) wt
        where f.uid = $6
          and f.action = 'hide'
          and f.ended = 0
          and f.at_home = 1
          and case wf.whole_words when 1 then strpos(wt.spaced, (wf.needle collate C)) > 0 else strpos(
            wt.flat, (wf.needle collate C)
          ) > 0 end
      )
      or exists (
        select 1
        from filter f
          join filter_status fs on fs.filter_id = f.id
        where f.uid = $7
          and f.action = 'hide'
          and f.ended = 0
          and f.at_home = 1
          and fs.message_id = item.message_id
      )
    )
  )
  and item.author_id not in (as at 10)
  and item.owner_id not in (as at 10)
order by item.commented desc, item.id desc
limit $14 offset $15;
