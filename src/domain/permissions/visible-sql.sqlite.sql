-- What visible-sql.test.ts finds; run it with -u to write it again. `(as at 1)` is the part that begins at `-- 1`.

-- Items that a channel of this hub sees
select id
from item
where (
  item.uid = ?
  or (
    item.item_normal = 1
    and (
      item.item_private = 0
      or (
        item.item_wall = 1
        and not ( -- 1
          instr(item.deny_cid, ?) > 0
          or ( -- 2
            item.deny_gid <> ''
            and (
              exists (
                select 1
                from pgrp_member vm
                  join pgrp vg on vg.id = vm.gid
                    and vg.deleted = 0
                where vm.uid = item.uid
                  and vm.xchan = ?
                  and instr(item.deny_gid, '<' || vg.hash || '>') > 0
              )
              or exists (
                select 1
                from abook vp
                where vp.abook_channel = item.uid
                  and vp.abook_xchan = ?
                  and vp.abook_pending = 0
                  and vp.abook_unconnected = 0
                  and vp.abook_self = 0
                  and vp.abook_profile <> ''
                  and instr(item.deny_gid, '<vp.' || vp.abook_profile || '>') > 0
              )
            )
          )
        )
        and (
          ( -- 3
            instr(item.allow_cid, ?) > 0
            or ( -- 4
              item.allow_gid <> ''
              and (
                exists (
                  select 1
                  from pgrp_member vm
                    join pgrp vg on vg.id = vm.gid
                      and vg.deleted = 0
                  where vm.uid = item.uid
                    and vm.xchan = ?
                    and instr(item.allow_gid, '<' || vg.hash || '>') > 0
                )
                or exists (
                  select 1
                  from abook vp
                  where vp.abook_channel = item.uid
                    and vp.abook_xchan = ?
                    and vp.abook_pending = 0
                    and vp.abook_unconnected = 0
                    and vp.abook_self = 0
                    and vp.abook_profile <> ''
                    and instr(item.allow_gid, '<vp.' || vp.abook_profile || '>') > 0
                )
              )
            )
          )
          or ( -- 5
            item.allow_cid = ''
            and item.allow_gid = ''
            and (
              exists (
                select 1
                from abook vc
                where vc.abook_channel = item.uid
                  and vc.abook_xchan = ?
                  and vc.abook_unconnected = 0
                  and vc.abook_self = 0
                  and vc.abook_pending = 0
              )
              and (item.deny_cid <> '' or item.deny_gid <> '')
              or item.deny_cid = ''
              and item.deny_gid = ''
              and (
                item.public_policy in (?, ?, ?)
                or (
                  item.public_policy in ('contacts', 'specific')
                  and exists (
                    select 1
                    from abook vc
                    where vc.abook_channel = item.uid
                      and vc.abook_xchan = ?
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
                      and vc.abook_xchan = ?
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
    and exists (
      select 1
      from channel pc
        left join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'view_stream'
        left join abook pa on pa.abook_channel = pc.channel_id
          and pa.abook_xchan = ?
      where pc.channel_id = item.uid
        and pc.channel_removed = 0
        and coalesce(pa.abook_blocked, 0) = 0
        and 1 = 1
        and case when pc.channel_hash = ? then 1 = 1 else 1 = 1
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
                  and pg.xchan = ?
                  and pg.cat = 'my_perms'
                  and pg.k = 'view_stream'
                  and pg.v = '1'
              )
            )
          ) end
    )
  )
);

-- The same in a statement that is compiled once
select id
from item
where (
  item.uid = ?
  or (
    item.item_normal = 1
    and (
      item.item_private = 0
      or (
        item.item_wall = 1
        and not (
          instr(item.deny_cid, '<' || ? || '>') > 0
          or (as at 2)
        )
        and (
          (
            instr(item.allow_cid, '<' || ? || '>') > 0
            or (as at 4)
          )
          or (as at 5)
        )
      )
    )
    and exists ( -- 6
      select 1
      from channel pc
        left join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'view_stream'
        left join abook pa on pa.abook_channel = pc.channel_id
          and pa.abook_xchan = ?
      where pc.channel_id = item.uid
        and pc.channel_removed = 0
        and coalesce(pa.abook_blocked, 0) = 0
        and 1 = 1
        and case when pc.channel_hash = ? then 1 = 1 else 1 = 1
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
                  and pg.xchan = ?
                  and pg.cat = 'my_perms'
                  and pg.k = 'view_stream'
                  and pg.v = '1'
              )
            )
          ) end
      limit 1 offset 0
    )
  )
);

-- The same among rows of which none is private
select id
from item
where (
  item.uid = ?
  or (
    item.item_normal = 1
    and item.item_private = 0
    and exists (as at 6)
  )
);

-- Items that somebody of another hub sees
select id
from item
where (
  item.item_normal = 1
  and ( -- 7
    item.item_private = 0
    or (
      item.item_wall = 1
      and not (as at 1)
      and (
        (as at 3)
        or (
          item.allow_cid = ''
          and item.allow_gid = ''
          and (
            exists (
              select 1
              from abook vc
              where vc.abook_channel = item.uid
                and vc.abook_xchan = ?
                and vc.abook_unconnected = 0
                and vc.abook_self = 0
                and vc.abook_pending = 0
            )
            and (item.deny_cid <> '' or item.deny_gid <> '')
            or item.deny_cid = ''
            and item.deny_gid = ''
            and (
              item.public_policy in (?)
              or (
                item.public_policy in ('contacts', 'specific')
                and exists (
                  select 1
                  from abook vc
                  where vc.abook_channel = item.uid
                    and vc.abook_xchan = ?
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
                    and vc.abook_xchan = ?
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
  and exists (
    select 1
    from channel pc
      left join config pl on pl.uid = pc.channel_id
        and pl.cat = 'perm_limits'
        and pl.k = 'view_stream'
      left join abook pa on pa.abook_channel = pc.channel_id
        and pa.abook_xchan = ?
    where pc.channel_id = item.uid
      and pc.channel_removed = 0
      and coalesce(pa.abook_blocked, 0) = 0
      and 1 = 1
      and case when pc.channel_hash = ? then 1 = 1 else 1 = 1
        and (
          pl.v in ('1', '256')
          or (pl.v = '512' and pa.abook_unconnected = 0)
          or (pl.v = '8' and pa.abook_pending = 0 and pa.abook_unconnected = 0)
          or (
            pl.v = '128'
            and coalesce(pa.abook_pending, 0) = 0
            and exists (
              select 1
              from abconfig pg
              where pg.chan = pc.channel_id
                and pg.xchan = ?
                and pg.cat = 'my_perms'
                and pg.k = 'view_stream'
                and pg.v = '1'
            )
          )
        ) end
  )
);

-- The same of an actor
select id
from item
where (
  (
    item.item_normal = 1
    and (as at 7)
    and exists (
      select 1
      from channel pc
        left join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'view_stream'
        left join abook pa on pa.abook_channel = pc.channel_id
          and pa.abook_xchan = ?
      where pc.channel_id = item.uid
        and pc.channel_removed = 0
        and coalesce(pa.abook_blocked, 0) = 0
        and not exists (
          select 1
          from host_block hb
          where hb.uid = pc.channel_id
            and hb.kind = 'block'
            and hb.host in (?, ?)
        )
        and 1 = 1
        and case when pc.channel_hash = ? then 1 = 1 else 1 = 1
          and (
            pl.v in ('1', '256')
            or (pl.v = '512' and pa.abook_unconnected = 0)
            or (pl.v = '8' and pa.abook_pending = 0 and pa.abook_unconnected = 0)
            or (
              pl.v = '128'
              and coalesce(pa.abook_pending, 0) = 0
              and exists (
                select 1
                from abconfig pg
                where pg.chan = pc.channel_id
                  and pg.xchan = ?
                  and pg.cat = 'my_perms'
                  and pg.k = 'view_stream'
                  and pg.v = '1'
              )
            )
          ) end
    )
  )
  or (
    item.item_normal = 1
    and item.item_private = 1
    and item.item_origin = 1
    and item.item_wall = 0
    and item.item_thread_top = 0
    and exists (
      select 1
      from channel vc
        join xchan vx on vx.xchan_hash = vc.channel_hash
      where vc.channel_id = item.uid
        and vc.channel_removed = 0
        and vx.xchan_id = item.author_id
    )
    and (
      item.owner_id = ?
      or exists (
        select 1
        from item vt
          join addressed_to va on va.message_id = vt.message_id
        where vt.id = item.parent
          and va.person = ?
      )
    )
    and exists (select 1 from sent_to vs where vs.message_id = item.message_id)
    and not exists (
      select 1
      from abook vb
      where vb.abook_channel = item.uid
        and vb.abook_xchan = ?
        and vb.abook_blocked = 1
    )
    and not exists (
      select 1
      from host_block hb
      where hb.uid = item.uid
        and hb.kind = 'block'
        and hb.host in (?, ?)
    )
  )
);

-- Items that a guest sees
select id
from item
where (
  item.item_normal = 1
  and (
    item.item_private = 0
    or (
      item.uid = ?
      and item.item_wall = 1
      and not (as at 1)
      and (
        (as at 3)
        or (
          item.allow_cid = ''
          and item.allow_gid = ''
          and item.deny_cid = ''
          and item.deny_gid = ''
          and item.public_policy = 'authenticated'
        )
      )
    )
  )
  and (
    case when item.uid = ? then exists (
      select 1
      from channel pc
        join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'view_stream'
      where pc.channel_id = item.uid
        and pc.channel_removed = 0
        and 1 = 1
        and (
          pl.v in ('1', '256', '512')
          or (
            pl.v = '128'
            and exists (
              select 1
              from abconfig pg
              where pg.chan = pc.channel_id
                and pg.xchan = ?
                and pg.cat = 'my_perms'
                and pg.k = 'view_stream'
                and pg.v = '1'
            )
          )
        )
    ) else exists (
      select 1
      from channel pc
        join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'view_stream'
      where pc.channel_id = item.uid
        and pc.channel_removed = 0
        and 1 = 1
        and pl.v = '1'
    ) end
  )
);

-- Items that nobody in particular sees
select id
from item
where (
  item.item_normal = 1
  and item.item_private = 0
  and exists (
    select 1
    from channel pc
      join config pl on pl.uid = pc.channel_id
        and pl.cat = 'perm_limits'
        and pl.k = 'view_stream'
    where pc.channel_id = item.uid
      and pc.channel_removed = 0
      and 1 = 1
      and pl.v = '1'
  )
);

-- The same where the site shows strangers nothing
select id
from item
where (item.item_normal = 1 and item.item_private = 0 and 1 = 0);

-- Web pages that nobody in particular sees
select id
from item
where (
  (
    item.item_type in (1, 2, 3)
    and item.item_deleted = 0
    and item.item_delayed = 0
    and item.item_pending_remove = 0
    and item.item_blocked = 0
    and item.item_hidden = 0
    and item.item_unpublished = 0
  )
  and item.item_private = 0
  and exists (
    select 1
    from channel pc
      join config pl on pl.uid = pc.channel_id
        and pl.cat = 'perm_limits'
        and pl.k = 'view_pages'
    where pc.channel_id = item.uid
      and pc.channel_removed = 0
      and 1 = 1
      and pl.v = '1'
  )
);

-- Wikis that nobody in particular sees
select id
from item
where (
  (
    item.item_type = 0
    and item.item_deleted = 0
    and item.item_delayed = 0
    and item.item_pending_remove = 0
    and item.item_blocked = 0
    and exists (
      select 1
      from message vw
      where vw.id = item.message_id
        and vw.resource_type in ('nwiki', 'nwikipage')
    )
  )
  and item.item_private = 0
  and exists (
    select 1
    from channel pc
      join config pl on pl.uid = pc.channel_id
        and pl.cat = 'perm_limits'
        and pl.k = 'view_wiki'
    where pc.channel_id = item.uid
      and pc.channel_removed = 0
      and 1 = 1
      and pl.v = '1'
  )
);

-- Items of photos that nobody in particular sees
select id
from item
where (
  (
    item.item_normal = 1
    or (
      item.item_type = 0
      and item.item_deleted = 0
      and item.item_delayed = 0
      and item.item_pending_remove = 0
      and item.item_blocked = 0
      and item.item_unpublished = 0
      and exists (
        select 1
        from message vp
        where vp.id = item.message_id
          and vp.resource_type = 'photo'
      )
    )
  )
  and item.item_private = 0
  and exists (
    select 1
    from channel pc
      join config pl on pl.uid = pc.channel_id
        and pl.cat = 'perm_limits'
        and pl.k = 'view_storage'
    where pc.channel_id = item.uid
      and pc.channel_removed = 0
      and 1 = 1
      and pl.v = '1'
  )
);

-- Files that somebody of another hub sees
select id
from attach
where (
  attach.uid = ?
  and exists (
    select 1
    from channel pc
      left join config pl on pl.uid = pc.channel_id
        and pl.cat = 'perm_limits'
        and pl.k = 'view_storage'
      left join abook pa on pa.abook_channel = pc.channel_id
        and pa.abook_xchan = ?
    where pc.channel_id = ?
      and pc.channel_removed = 0
      and coalesce(pa.abook_blocked, 0) = 0
      and 1 = 1
      and case when pc.channel_hash = ? then 1 = 1 else 1 = 1
        and (
          pl.v in ('1', '256')
          or (pl.v = '512' and pa.abook_unconnected = 0)
          or (pl.v = '8' and pa.abook_pending = 0 and pa.abook_unconnected = 0)
          or (
            pl.v = '128'
            and coalesce(pa.abook_pending, 0) = 0
            and exists (
              select 1
              from abconfig pg
              where pg.chan = pc.channel_id
                and pg.xchan = ?
                and pg.cat = 'my_perms'
                and pg.k = 'view_storage'
                and pg.v = '1'
            )
          )
        ) end
  )
  and (
    not ( -- 8
      instr(attach.deny_cid, ?) > 0
      or (
        attach.deny_gid <> ''
        and (
          exists (
            select 1
            from pgrp_member vm
              join pgrp vg on vg.id = vm.gid
                and vg.deleted = 0
            where vm.uid = ?
              and vm.xchan = ?
              and instr(attach.deny_gid, '<' || vg.hash || '>') > 0
          )
          or exists (
            select 1
            from abook vp
            where vp.abook_channel = ?
              and vp.abook_xchan = ?
              and vp.abook_pending = 0
              and vp.abook_unconnected = 0
              and vp.abook_self = 0
              and vp.abook_profile <> ''
              and instr(attach.deny_gid, '<vp.' || vp.abook_profile || '>') > 0
          )
        )
      )
    )
    and (
      ( -- 9
        instr(attach.allow_cid, ?) > 0
        or (
          attach.allow_gid <> ''
          and (
            exists (
              select 1
              from pgrp_member vm
                join pgrp vg on vg.id = vm.gid
                  and vg.deleted = 0
              where vm.uid = ?
                and vm.xchan = ?
                and instr(attach.allow_gid, '<' || vg.hash || '>') > 0
            )
            or exists (
              select 1
              from abook vp
              where vp.abook_channel = ?
                and vp.abook_xchan = ?
                and vp.abook_pending = 0
                and vp.abook_unconnected = 0
                and vp.abook_self = 0
                and vp.abook_profile <> ''
                and instr(attach.allow_gid, '<vp.' || vp.abook_profile || '>') > 0
            )
          )
        )
      )
      or (
        (attach.allow_cid = '' and attach.allow_gid = '')
        and (
          (attach.deny_cid = '' and attach.deny_gid = '')
          or exists (
            select 1
            from abook vc
            where vc.abook_channel = ?
              and vc.abook_xchan = ?
              and vc.abook_unconnected = 0
              and vc.abook_self = 0
              and vc.abook_pending = 0
          )
        )
      )
    )
  )
  and (
    attach.folder = ''
    or attach.folder in ( -- 10
      with recursive open_folder (hash) as (
        select dir.hash
        from attach dir
        where dir.uid = ?
          and dir.is_dir = 1
          and dir.folder = ''
          and ( -- 11
            not ( -- 12
              instr(dir.deny_cid, ?) > 0
              or (
                dir.deny_gid <> ''
                and (
                  exists (
                    select 1
                    from pgrp_member vm
                      join pgrp vg on vg.id = vm.gid
                        and vg.deleted = 0
                    where vm.uid = ?
                      and vm.xchan = ?
                      and instr(dir.deny_gid, '<' || vg.hash || '>') > 0
                  )
                  or exists (
                    select 1
                    from abook vp
                    where vp.abook_channel = ?
                      and vp.abook_xchan = ?
                      and vp.abook_pending = 0
                      and vp.abook_unconnected = 0
                      and vp.abook_self = 0
                      and vp.abook_profile <> ''
                      and instr(dir.deny_gid, '<vp.' || vp.abook_profile || '>') > 0
                  )
                )
              )
            )
            and (
              ( -- 13
                instr(dir.allow_cid, ?) > 0
                or (
                  dir.allow_gid <> ''
                  and (
                    exists (
                      select 1
                      from pgrp_member vm
                        join pgrp vg on vg.id = vm.gid
                          and vg.deleted = 0
                      where vm.uid = ?
                        and vm.xchan = ?
                        and instr(dir.allow_gid, '<' || vg.hash || '>') > 0
                    )
                    or exists (
                      select 1
                      from abook vp
                      where vp.abook_channel = ?
                        and vp.abook_xchan = ?
                        and vp.abook_pending = 0
                        and vp.abook_unconnected = 0
                        and vp.abook_self = 0
                        and vp.abook_profile <> ''
                        and instr(dir.allow_gid, '<vp.' || vp.abook_profile || '>') > 0
                    )
                  )
                )
              )
              or (
                (dir.allow_cid = '' and dir.allow_gid = '')
                and (
                  (dir.deny_cid = '' and dir.deny_gid = '')
                  or exists (
                    select 1
                    from abook vc
                    where vc.abook_channel = ?
                      and vc.abook_xchan = ?
                      and vc.abook_unconnected = 0
                      and vc.abook_self = 0
                      and vc.abook_pending = 0
                  )
                )
              )
            )
          )
        union
        select dir.hash
        from open_folder
          cross join attach dir
        where dir.uid = ?
          and dir.folder = open_folder.hash
          and dir.is_dir = 1
          and (as at 11)
      )
      select hash
      from open_folder
    )
  )
  and (
    attach.is_dir = 0
    or attach.hash in (
      with recursive holding_folder (hash) as (
        select held.folder
        from attach held
        where held.uid = ?
          and held.is_dir = 0
          and held.latest = 1
          and held.folder in (as at 10)
          and (
            not ( -- 14
              instr(held.deny_cid, ?) > 0
              or (
                held.deny_gid <> ''
                and (
                  exists (
                    select 1
                    from pgrp_member vm
                      join pgrp vg on vg.id = vm.gid
                        and vg.deleted = 0
                    where vm.uid = ?
                      and vm.xchan = ?
                      and instr(held.deny_gid, '<' || vg.hash || '>') > 0
                  )
                  or exists (
                    select 1
                    from abook vp
                    where vp.abook_channel = ?
                      and vp.abook_xchan = ?
                      and vp.abook_pending = 0
                      and vp.abook_unconnected = 0
                      and vp.abook_self = 0
                      and vp.abook_profile <> ''
                      and instr(held.deny_gid, '<vp.' || vp.abook_profile || '>') > 0
                  )
                )
              )
            )
            and (
              ( -- 15
                instr(held.allow_cid, ?) > 0
                or (
                  held.allow_gid <> ''
                  and (
                    exists (
                      select 1
                      from pgrp_member vm
                        join pgrp vg on vg.id = vm.gid
                          and vg.deleted = 0
                      where vm.uid = ?
                        and vm.xchan = ?
                        and instr(held.allow_gid, '<' || vg.hash || '>') > 0
                    )
                    or exists (
                      select 1
                      from abook vp
                      where vp.abook_channel = ?
                        and vp.abook_xchan = ?
                        and vp.abook_pending = 0
                        and vp.abook_unconnected = 0
                        and vp.abook_self = 0
                        and vp.abook_profile <> ''
                        and instr(held.allow_gid, '<vp.' || vp.abook_profile || '>') > 0
                    )
                  )
                )
              )
              or (
                (held.allow_cid = '' and held.allow_gid = '')
                and (
                  (held.deny_cid = '' and held.deny_gid = '')
                  or exists (
                    select 1
                    from abook vc
                    where vc.abook_channel = ?
                      and vc.abook_xchan = ?
                      and vc.abook_unconnected = 0
                      and vc.abook_self = 0
                      and vc.abook_pending = 0
                  )
                )
              )
            )
          )
        union
        select upper.folder
        from holding_folder
          cross join attach upper
        where upper.uid = ?
          and upper.hash = holding_folder.hash
          and upper.is_dir = 1
          and upper.folder <> ''
      )
      select hash
      from holding_folder
    )
    or exists (
      select 1
      from channel pc
        left join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'write_storage'
        left join abook pa on pa.abook_channel = pc.channel_id
          and pa.abook_xchan = ?
      where pc.channel_id = ?
        and pc.channel_removed = 0
        and coalesce(pa.abook_blocked, 0) = 0
        and pc.channel_moved = ''
        and case when pc.channel_hash = ? then 1 = 1 else coalesce(pa.abook_ignored, 0) = 0
          and (
            pl.v in ('1', '256')
            or (pl.v = '512' and pa.abook_unconnected = 0)
            or (pl.v = '8' and pa.abook_pending = 0 and pa.abook_unconnected = 0)
            or (
              pl.v = '128'
              and coalesce(pa.abook_pending, 0) = 0
              and exists (
                select 1
                from abconfig pg
                where pg.chan = pc.channel_id
                  and pg.xchan = ?
                  and pg.cat = 'my_perms'
                  and pg.k = 'write_storage'
                  and pg.v = '1'
              )
            )
          ) end
    )
  )
);

-- Files that a guest sees
select id
from attach
where (
  attach.uid = ?
  and (
    case when ? = ? then exists (
      select 1
      from channel pc
        join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'view_storage'
      where pc.channel_id = ?
        and pc.channel_removed = 0
        and 1 = 1
        and (
          pl.v in ('1', '256', '512')
          or (
            pl.v = '128'
            and exists (
              select 1
              from abconfig pg
              where pg.chan = pc.channel_id
                and pg.xchan = ?
                and pg.cat = 'my_perms'
                and pg.k = 'view_storage'
                and pg.v = '1'
            )
          )
        )
    ) else exists (
      select 1
      from channel pc
        join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'view_storage'
      where pc.channel_id = ?
        and pc.channel_removed = 0
        and 1 = 1
        and pl.v = '1'
    ) end
  )
  and (
    (attach.allow_cid = '' and attach.allow_gid = '' and attach.deny_cid = '' and attach.deny_gid = '')
    or (
      ? = ?
      and not (as at 8)
      and (as at 9)
    )
  )
  and (
    attach.folder = ''
    or attach.folder in ( -- 16
      with recursive open_folder (hash) as (
        select dir.hash
        from attach dir
        where dir.uid = ?
          and dir.is_dir = 1
          and dir.folder = ''
          and ( -- 17
            (dir.allow_cid = '' and dir.allow_gid = '' and dir.deny_cid = '' and dir.deny_gid = '')
            or (
              ? = ?
              and not (as at 12)
              and (as at 13)
            )
          )
        union
        select dir.hash
        from open_folder
          cross join attach dir
        where dir.uid = ?
          and dir.folder = open_folder.hash
          and dir.is_dir = 1
          and (as at 17)
      )
      select hash
      from open_folder
    )
  )
  and (
    attach.is_dir = 0
    or attach.hash in (
      with recursive holding_folder (hash) as (
        select held.folder
        from attach held
        where held.uid = ?
          and held.is_dir = 0
          and held.latest = 1
          and held.folder in (as at 16)
          and (
            (held.allow_cid = '' and held.allow_gid = '' and held.deny_cid = '' and held.deny_gid = '')
            or (
              ? = ?
              and not (as at 14)
              and (as at 15)
            )
          )
        union
        select upper.folder
        from holding_folder
          cross join attach upper
        where upper.uid = ?
          and upper.hash = holding_folder.hash
          and upper.is_dir = 1
          and upper.folder <> ''
      )
      select hash
      from holding_folder
    )
    or (
      case when ? = ? then exists (
        select 1
        from channel pc
          join config pl on pl.uid = pc.channel_id
            and pl.cat = 'perm_limits'
            and pl.k = 'write_storage'
        where pc.channel_id = ?
          and pc.channel_removed = 0
          and pc.channel_moved = ''
          and (
            pl.v in ('1', '256', '512')
            or (
              pl.v = '128'
              and exists (
                select 1
                from abconfig pg
                where pg.chan = pc.channel_id
                  and pg.xchan = ?
                  and pg.cat = 'my_perms'
                  and pg.k = 'write_storage'
                  and pg.v = '1'
              )
            )
          )
      ) else exists (
        select 1
        from channel pc
          join config pl on pl.uid = pc.channel_id
            and pl.cat = 'perm_limits'
            and pl.k = 'write_storage'
        where pc.channel_id = ?
          and pc.channel_removed = 0
          and pc.channel_moved = ''
          and pl.v = '1'
      ) end
    )
  )
);

-- Files that nobody in particular sees
select id
from attach
where (
  attach.uid = ?
  and exists (
    select 1
    from channel pc
      join config pl on pl.uid = pc.channel_id
        and pl.cat = 'perm_limits'
        and pl.k = 'view_storage'
    where pc.channel_id = ?
      and pc.channel_removed = 0
      and 1 = 1
      and pl.v = '1'
  )
  and (attach.allow_cid = '' and attach.allow_gid = '' and attach.deny_cid = '' and attach.deny_gid = '')
  and (
    attach.folder = ''
    or attach.folder in ( -- 18
      with recursive open_folder (hash) as (
        select dir.hash
        from attach dir
        where dir.uid = ?
          and dir.is_dir = 1
          and dir.folder = ''
          and (dir.allow_cid = '' and dir.allow_gid = '' and dir.deny_cid = '' and dir.deny_gid = '')
        union
        select dir.hash
        from open_folder
          cross join attach dir
        where dir.uid = ?
          and dir.folder = open_folder.hash
          and dir.is_dir = 1
          and (dir.allow_cid = '' and dir.allow_gid = '' and dir.deny_cid = '' and dir.deny_gid = '')
      )
      select hash
      from open_folder
    )
  )
  and (
    attach.is_dir = 0
    or attach.hash in (
      with recursive holding_folder (hash) as (
        select held.folder
        from attach held
        where held.uid = ?
          and held.is_dir = 0
          and held.latest = 1
          and held.folder in (as at 18)
          and (held.allow_cid = '' and held.allow_gid = '' and held.deny_cid = '' and held.deny_gid = '')
        union
        select upper.folder
        from holding_folder
          cross join attach upper
        where upper.uid = ?
          and upper.hash = holding_folder.hash
          and upper.is_dir = 1
          and upper.folder <> ''
      )
      select hash
      from holding_folder
    )
    or exists (
      select 1
      from channel pc
        join config pl on pl.uid = pc.channel_id
          and pl.cat = 'perm_limits'
          and pl.k = 'write_storage'
      where pc.channel_id = ?
        and pc.channel_removed = 0
        and pc.channel_moved = ''
        and pl.v = '1'
    )
  )
);
